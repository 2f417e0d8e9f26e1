//===- OptionHelp.cpp - The description of regrain cc ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/OptionHelp.h"

#include "compiler/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Option.h"
#include <functional>
#include <map>

using namespace llvm;
using namespace regrain::options;
using llvm::opt::OptTable;
using OptionClass = llvm::opt::Option::OptionClass;

namespace regrain {
namespace {

struct Heading {
  HelpHeading flag;
  const char *title;
};

constexpr const char *grains = "Grains", *explanations = "Explanations", *targets = "Targets";

/// The headings, in the order of the help.
constexpr Heading headings[] = {
    {InOutput, "What is written"},
    {InGrains, grains},
    {InExplanations, explanations},
    {InTargets, targets},
    {InCode, "Language and code"},
    {InHeaders, "Headers and macros"},
    {InDependencies, "Dependencies for make"},
    {InLinking, "Linking"},
    {InOtherTools, "Options for other tools"},
    {InInformation, "Information"},
    {InIgnored, "Accepted without effect, because nvcc has them"},
};

/// Returns the spelling without the dashes and the sign, which say where the value stands.
help::Spelling spellingOf(const OptTable::Info &info) {
  help::Spelling spelling;
  StringRef name = info.getName();
  bool isJoined = is_contained(
      {OptionClass::JoinedClass, OptionClass::CommaJoinedClass, OptionClass::JoinedOrSeparateClass},
      OptionClass(info.Kind));
  spelling.isAfterSign = isJoined && name.consume_back("=");
  spelling.isJoined = isJoined && !spelling.isAfterSign;
  spelling.isNext = OptionClass(info.Kind) == OptionClass::SeparateClass ||
                    OptionClass(info.Kind) == OptionClass::JoinedOrSeparateClass;
  spelling.name = name.str();
  return spelling;
}

/// Adds the spelling, or the places of its value to the spelling that has the same name.
void add(help::Spelling spelling, std::vector<help::Spelling> &spellings) {
  auto same =
      find_if(spellings, [&](const help::Spelling &other) { return other.name == spelling.name; });
  if (same == spellings.end())
    return spellings.push_back(std::move(spelling));
  same->isNext |= spelling.isNext;
  same->isAfterSign |= spelling.isAfterSign;
  same->isJoined |= spelling.isJoined;
  same->isShown |= spelling.isShown;
}

/// Of an option that has one dash or two, the usual one is shown: the first of an option, two of
/// the longer name that nvcc gives it as well.
void addSpellings(const OptTable::Info &info, bool isAlias, help::Option &option) {
  ArrayRef<StringLiteral> dashes = info.Prefixes;
  bool showsTwo = isAlias && is_contained(dashes, "--");
  for (StringRef each : dashes) {
    help::Spelling spelling = spellingOf(info);
    bool isUsual = each == (showsTwo ? StringRef("--") : StringRef(dashes.front()));
    bool isTwin = any_of(option.spellings, [&](const help::Spelling &other) {
      return other.isShown && StringRef(other.name).ltrim('-') == spelling.name;
    });
    spelling.isShown = isUsual && !isTwin;
    spelling.name = (each + spelling.name).str();
    add(std::move(spelling), option.spellings);
  }
}

/// Returns whether the entry is a name of an option that is accepted.
bool isAccepted(const OptTable::Info &info) {
  return info.ID != OPT_INPUT && info.ID != OPT_UNKNOWN &&
         OptionClass(info.Kind) != OptionClass::GroupClass && info.GroupID != OPT_unsupported_Group;
}

bool takesValue(const help::Option &option) {
  return any_of(option.spellings, [](const help::Spelling &spelling) {
    return spelling.isNext || spelling.isAfterSign || spelling.isJoined;
  });
}

/// Returns the elements in their order, but first those for which `isFirst` holds.
template <typename T, typename Predicate>
std::vector<T> withFirst(std::vector<T> elements, Predicate isFirst) {
  std::vector<T> ordered;
  copy_if(elements, std::back_inserter(ordered), isFirst);
  copy_if(elements, std::back_inserter(ordered), std::not_fn(isFirst));
  return ordered;
}

help::Option describe(const OptTable::Info &usual, ArrayRef<const OptTable::Info *> aliases) {
  help::Option option;
  addSpellings(usual, /*isAlias=*/false, option);
  for (const OptTable::Info *alias : aliases)
    addSpellings(*alias, /*isAlias=*/true, option);
  // "-o, --output-file", though the longer name may be the usual one.
  option.spellings = withFirst(std::move(option.spellings), [](const help::Spelling &spelling) {
    return spelling.name.size() == 2;
  });
  if (usual.HelpText)
    option.text = usual.HelpText;
  if (takesValue(option))
    option.value = usual.MetaVar ? usual.MetaVar : "VALUE";
  return option;
}

/// Orders options by their usual names, whatever dashes and case they have.
bool isBefore(const help::Option &a, const help::Option &b) {
  StringRef first = a.spellings.front().name, second = b.spellings.front().name;
  int order = first.ltrim('-').compare_insensitive(second.ltrim('-'));
  return order ? order < 0 : first < second;
}

std::vector<help::Group> describeOptions() {
  std::map<unsigned, std::vector<const OptTable::Info *>> aliases;
  for (const OptTable::Info &info : entries())
    if (info.AliasID != OPT_INVALID)
      aliases[info.AliasID].push_back(&info);
  std::vector<help::Group> groups;
  for (const Heading &heading : headings) {
    help::Group group{heading.title, {}};
    for (const OptTable::Info &info : entries())
      if (isAccepted(info) && info.AliasID == OPT_INVALID && (info.Flags & heading.flag))
        group.options.push_back(describe(info, aliases[info.ID]));
    llvm::sort(group.options, isBefore);
    groups.push_back(std::move(group));
  }
  return groups;
}

} // namespace

help::Command describeCompiler() {
  help::Command command;
  command.name = "regrain cc";
  command.summary = "Compile CUDA C++ with nvcc's and clang's options";
  command.paragraphs = {
      "Compiles CUDA C++ for NVIDIA and AMD GPUs and for the CPU, and links. The options are "
      "nvcc's, and clang's where it has another one. Sources that are not CUDA go to the host "
      "compiler, which also links.",
      "regrain-nvcc is the same command, for makefiles that name a compiler. Options in the "
      "variables NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are read before and after the others. "
      "Most options with one dash may have two, and a value may follow '=' or be the next "
      "argument."};
  command.arguments = {{"FILE...", "Sources (.cu, .cpp, .c, .s), objects and libraries"}};
  command.groups = describeOptions();
  command.examples = {
      {"regrain cc -O3 --alternatives=16 app.cu -o app",
       "Build app with 16 other grains of each kernel, which 'regrain tune' can choose from."},
      {"regrain cc --coarsen='*:block.x=2' --emit=grain app.cu",
       "Show each kernel at the grain at which one block does the work of two."}};
  return command;
}

help::Command describeExplain() {
  help::Command command = describeCompiler();
  command.name = "regrain explain";
  command.summary = "Say which grains each kernel can have, and why not others";
  command.paragraphs = {
      "Says for each kernel which grains are legal and, for each refusal, where it arises, why, "
      "and how to allow it. A file is a source or what was built from one. All options of "
      "'regrain cc' are accepted, so that any line of a build can be explained."};
  command.arguments = {{"FILE...", "Sources (.cu), objects, libraries and programs"}};
  command.groups = withFirst(std::move(command.groups), [](const help::Group &group) {
    return group.title == grains || group.title == explanations || group.title == targets;
  });
  command.examples = {
      {"regrain explain app.cu", "Explain every kernel of app.cu at the usual grains."},
      {"regrain explain --json --alternatives=all app.cu > app.json",
       "Write what is said of every grain for a script; docs/report-schema.md describes it."},
      {"regrain explain --why='multiply:block.x=2' app.cu",
       "Say whether one grain is legal, proposed, compiled, tried and chosen, and why not."}};
  return command;
}

} // namespace regrain
