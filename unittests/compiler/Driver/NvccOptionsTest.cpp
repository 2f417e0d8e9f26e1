//===- NvccOptionsTest.cpp - Every option of nvcc has its treatment -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc-options.txt lists the options of nvcc 13: the long name, the short name, a value ("-" if it
// takes none), and what becomes of the option.
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/Options.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace regrain {
namespace {

using namespace options;

struct NvccOption {
  std::string longName, shortName, value, treatment;
};

std::vector<NvccOption> readOptions() {
  std::ifstream file(NVCC_OPTIONS);
  std::vector<NvccOption> options;
  for (std::string line; std::getline(file, line);) {
    NvccOption option;
    if (std::istringstream(line) >> option.longName >> option.shortName >> option.value >>
            option.treatment &&
        line[0] != '#')
      options.push_back(option);
  }
  return options;
}

/// Returns the ways to write an option: both names, the value apart or after '='.
std::vector<std::vector<std::string>> spellingsOf(const NvccOption &option) {
  std::vector<std::vector<std::string>> spellings;
  for (const std::string &name : {option.longName, option.shortName})
    if (option.value == "-") {
      spellings.push_back({name});
    } else {
      spellings.push_back({name, option.value});
      if (name.size() > 2)
        spellings.push_back({name + "=" + option.value});
    }
  return spellings;
}

/// Returns "ignored" if all arguments change nothing, "refused" with a reason, or "implemented".
std::string treatmentOf(const std::vector<std::string> &spelling) {
  std::vector<const char *> tokens;
  for (const std::string &text : spelling)
    tokens.push_back(text.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList args = table().ParseArgs(tokens, missingIndex, missingCount);
  bool isDeviceLink = args.hasArg(OPT_dlink);
  tokens.push_back(isDeviceLink ? "a.o" : "a.cu");
  llvm::Expected<CommandLine> line = parseCommandLine(tokens);
  if (!line) {
    std::string error = llvm::toString(line.takeError());
    if (error.find("needs -arch=") != std::string::npos)
      return "needs-arch";
    return error.find("is not supported: ") != std::string::npos ? "refused" : error;
  }
  for (const Item &item : line->items)
    if (item.kind != Item::LinkerFlag && item.text != tokens.back())
      return "'" + item.text + "' is taken for a file";
  // A file of options is replaced by its contents.
  for (const llvm::opt::Arg *arg : args)
    if (!arg->getOption().matches(OPT_ignored_Group))
      return "implemented";
  return "ignored";
}

TEST(NvccOptions, EachIsImplementedIgnoredOrRefused) {
  std::vector<NvccOption> options = readOptions();
  ASSERT_GT(options.size(), 100u);
  for (const NvccOption &option : options)
    for (const std::vector<std::string> &spelling : spellingsOf(option))
      EXPECT_EQ(treatmentOf(spelling), option.treatment)
          << spelling.front() << (spelling.size() > 1 ? " " + spelling.back() : "");
}

} // namespace
} // namespace regrain
