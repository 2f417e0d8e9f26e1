//===- OptionHelpTest.cpp - The help lists what is accepted ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/OptionHelp.h"
#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/Options.h"
#include "compiler/Target/Registry/Registry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"
#include <gtest/gtest.h>
#include <set>

namespace regrain {
namespace {

std::vector<help::Option> allOptions() {
  std::vector<help::Option> options;
  for (const help::Group &group : describeCompiler().groups)
    options.insert(options.end(), group.options.begin(), group.options.end());
  return options;
}

/// Returns the ways to write an option with a value, as words of a command line.
std::vector<std::vector<std::string>> waysToWrite(const help::Spelling &spelling) {
  std::vector<std::vector<std::string>> ways;
  if (spelling.isNext)
    ways.push_back({spelling.name, "value"});
  if (spelling.isAfterSign)
    ways.push_back({spelling.name + "=value"});
  if (spelling.isJoined)
    ways.push_back({spelling.name + "value"});
  if (ways.empty())
    ways.push_back({spelling.name});
  return ways;
}

TEST(OptionHelp, EachSpellingIsReadAsOneKnownOption) {
  for (const help::Option &option : allOptions())
    for (const help::Spelling &spelling : option.spellings)
      for (const std::vector<std::string> &words : waysToWrite(spelling)) {
        std::vector<const char *> arguments;
        for (const std::string &word : words)
          arguments.push_back(word.c_str());
        unsigned index = 0, count = 0;
        llvm::opt::InputArgList parsed = options::table().ParseArgs(arguments, index, count);
        ASSERT_EQ(parsed.size(), 1u) << words.front();
        EXPECT_FALSE(parsed.hasArg(options::OPT_UNKNOWN, options::OPT_INPUT)) << words.front();
      }
}

TEST(OptionHelp, ListsEachNameOfTheTableThatIsNotRefused) {
  std::set<std::string> listed;
  for (const help::Option &option : allOptions())
    for (const help::Spelling &spelling : option.spellings)
      listed.insert(spelling.name);
  using Class = llvm::opt::Option::OptionClass;
  for (const llvm::opt::OptTable::Info &info : options::entries()) {
    if (info.Kind <= Class::UnknownClass || info.GroupID == options::OPT_unsupported_Group ||
        info.ID == options::OPT_image_form_eq) // which tests alone use
      continue;
    for (llvm::StringRef dashes : info.Prefixes) {
      llvm::StringRef name = info.getName();
      name.consume_back("=");
      EXPECT_TRUE(listed.count((dashes + name).str())) << (dashes + name).str();
    }
  }
}

TEST(OptionHelp, NamesOfOneOptionStandTogether) {
  for (const help::Option &option : allOptions())
    if (option.spellings.front().name == "-o") {
      EXPECT_EQ(help::formOf(option), "-o, --output-file FILE");
      return;
    }
  ADD_FAILURE() << "-o is not listed";
}

TEST(OptionHelp, EmitNamesTheStagesOfTheTargets) {
  std::vector<std::string> stages = {"llvm", "grain"};
  for (const std::string &stage : stageNames())
    stages.push_back(stage);
  for (const help::Option &option : allOptions())
    if (option.spellings.front().name == "--emit")
      EXPECT_EQ(help::fixedValues(option), stages);
}

TEST(OptionHelp, ExplainTakesTheSameOptions) {
  std::multiset<std::string> compile, explain;
  for (auto [command, names] :
       {std::pair(describeCompiler(), &compile), std::pair(describeExplain(), &explain)})
    for (const help::Group &group : command.groups)
      for (const help::Option &option : group.options)
        names->insert(help::formOf(option));
  EXPECT_EQ(compile, explain);
}

} // namespace
} // namespace regrain
