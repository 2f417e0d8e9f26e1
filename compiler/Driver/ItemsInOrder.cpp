//===- ItemsInOrder.cpp - Files and flags that are passed on --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regrain::options;

namespace regrain {

/// Splits a list at commas, but not within parentheses or quotes: a macro's value may have some.
/// As for nvcc, a backslash makes the next comma a part of the value.
static std::vector<std::string> splitList(StringRef list) {
  std::vector<std::string> parts(1);
  unsigned depth = 0;
  bool isQuoted = false;
  while (!list.empty()) {
    if (list.consume_front("\\,")) {
      parts.back() += ',';
      continue;
    }
    char c = list.front();
    list = list.drop_front();
    isQuoted ^= c == '"';
    depth += c == '(';
    depth -= c == ')' && depth > 0;
    if (c == ',' && depth == 0 && !isQuoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  erase(parts, "");
  return parts;
}

std::vector<std::string> CommandLineParser::rendered(const Arg &arg) const {
  if (isList(arg)) {
    std::vector<std::string> flags;
    for (const std::string &part : splitList(arg.getValue()))
      flags.insert(flags.end(), {arg.getSpelling().str(), part});
    return flags;
  }
  ArgStringList list;
  arg.render(args, list);
  return {list.begin(), list.end()};
}

/// Returns whether the option's value is a list, as nvcc reads it.
bool CommandLineParser::isList(const Arg &arg) const {
  constexpr unsigned lists[] = {OPT_I, OPT_isystem, OPT_include_file, OPT_D, OPT_U, OPT_L};
  return is_contained(lists, arg.getOption().getID()) && StringRef(arg.getValue()).contains(',');
}

void CommandLineParser::toHost(std::vector<std::string> flags) {
  append(line.frontend.hostArgs, flags);
  append(line.otherArgs, flags);
}

void CommandLineParser::toBothSides(const Arg &arg) {
  append(line.frontend.clangArgs, rendered(arg));
  append(line.otherArgs, rendered(arg));
}

/// Defines a macro on both sides and in other sources.
void CommandLineParser::toMacro(const std::string &name) {
  line.frontend.clangArgs.push_back("-D" + name);
  line.otherArgs.push_back("-D" + name);
}

void CommandLineParser::readUnknown(const Arg &arg) {
  StringRef spelling = arg.getSpelling();
  if (args.hasArg(OPT_forward_host)) {
    line.linkArgs.push_back(spelling.str());
    return toHost({spelling.str()});
  }
  if (args.hasArg(OPT_forward_linker))
    return line.items.push_back({Item::LinkerFlag, spelling.str()});
  constexpr unsigned farthest = 2;
  std::string nearest;
  if (table().findNearest(spelling, nearest, Visibility(), 4, farthest) <= farthest)
    fail("unknown option '" + spelling + "'; did you mean '" + nearest + "'?");
  else
    fail("unknown option '" + spelling +
         "'; '--help' lists the options, -Xcompiler, -Xptxas and -Xlinker pass others on");
}

/// Returns whether a library is one of CUDA's runtime, which ours replaces.
static bool isRuntime(StringRef library) {
  return is_contained({"cudart", "cudart_static", "cudadevrt"}, library);
}

void CommandLineParser::readInput(StringRef path) {
  StringRef extension = sys::path::extension(path), stem = sys::path::stem(path);
  if (is_contained({".a", ".so"}, extension) && stem.consume_front("lib") && isRuntime(stem))
    return;
  auto byName = StringSwitch<Item::Kind>(extension)
                    .Case(".cu", Item::Cuda)
                    .Case(".c", Item::C)
                    .Cases(".cpp", ".cc", ".cxx", ".C", ".c++", Item::CXX)
                    .Cases(".s", ".S", Item::Assembler)
                    .Default(Item::LinkerInput);
  bool isBinary =
      is_contained({".o", ".a", ".so"}, extension) || sys::path::filename(path).contains(".so.");
  line.items.push_back({language && !isBinary ? *language : byName, path.str()});
}

void CommandLineParser::readLanguage(const Arg &arg) {
  language = StringSwitch<std::optional<Item::Kind>>(arg.getValue())
                 .Cases("cu", "cuda", Item::Cuda)
                 .Case("c", Item::C)
                 .Case("c++", Item::CXX)
                 .Case("assembler-with-cpp", Item::Assembler)
                 .Default(std::nullopt);
  if (!language && StringRef(arg.getValue()) != "none")
    fail("option '" + arg.getAsString(args) + "': expected cu, c, c++ or none");
}

void CommandLineParser::readPassedOn(const Arg &arg) {
  for (const std::string &flag : splitPassedOn(arg.getValue())) {
    StringRef text = flag;
    bool isMacroOrPath = text.starts_with("-D") || text.starts_with("-U") || text.starts_with("-I");
    if (isMacroOrPath) {
      line.frontend.clangArgs.push_back(flag);
      line.otherArgs.push_back(flag);
      continue;
    }
    toHost({flag});
    line.linkArgs.push_back(flag);
  }
}

void CommandLineParser::passLinkFlag(const Arg &arg) {
  if (arg.getOption().matches(OPT_l)) {
    for (const std::string &library : splitList(arg.getValue()))
      if (!isRuntime(library))
        line.items.push_back({Item::LinkerFlag, "-l" + library});
    return;
  }
  for (std::string &flag : rendered(arg))
    line.items.push_back({Item::LinkerFlag, std::move(flag)});
}

void CommandLineParser::passErrorKinds(const Arg &arg) {
  for (const std::string &kind : splitList(arg.getValue())) {
    // clang warns of none of these.
    if (is_contained({"cross-execution-space-call", "default-stream-launch",
                      "missing-launch-bounds", "ext-lambda-captures-this"},
                     kind))
      continue;
    std::string flag = kind == "all-warnings" ? "-Werror" : "-Werror=" + kind;
    line.frontend.clangArgs.push_back(flag);
    line.otherArgs.push_back(flag);
  }
}

void CommandLineParser::passByGroup(const Arg &arg) {
  const Option option = arg.getOption();
  if (option.matches(OPT_unsupported_Group)) {
    fail("option '" + arg.getAsString(args) +
         "' is not supported: " + table().getOptionHelpText(option.getID()));
  } else if (option.matches(OPT_both_Group)) {
    toBothSides(arg);
    if (option.matches(OPT_f) || option.matches(OPT_ffp_contract_eq))
      append(line.linkArgs, rendered(arg));
  } else if (option.matches(OPT_host_Group)) {
    toHost(rendered(arg));
  } else if (option.matches(OPT_link_Group)) {
    passLinkFlag(arg);
  }
}

/// Returns whether the only -x stands behind all files. It is for all of them then, as with nvcc;
/// otherwise it is for those behind it, as with clang.
static bool isLanguageOfAll(const ArgList &args) {
  auto languages = args.filtered(OPT_x), inputs = args.filtered(OPT_INPUT);
  if (!hasSingleElement(languages) || inputs.empty())
    return false;
  return (*languages.begin())->getIndex() > args.getLastArg(OPT_INPUT)->getIndex();
}

void CommandLineParser::readLinkerFlags(const Arg &arg) {
  for (const std::string &flag : splitPassedOn(arg.getValue())) {
    line.items.push_back({Item::LinkerFlag, "-Xlinker"});
    line.items.push_back({Item::LinkerFlag, flag});
  }
}

void CommandLineParser::passToBoth(const std::string &flag) {
  line.frontend.clangArgs.push_back(flag);
  line.otherArgs.push_back(flag);
}

/// Passes an option on that has a place of its own among the flags.
void CommandLineParser::passFlag(const Arg &arg) {
  switch (arg.getOption().getID()) {
  case OPT_std:
    passToBoth(std::string("-std=") + arg.getValue());
    break;
  case OPT_Wreorder:
  case OPT_Wno_deprecated_declarations:
    passToBoth(arg.getSpelling().drop_front().str());
    break;
  case OPT_Werror_eq:
    passErrorKinds(arg);
    break;
  case OPT_m64:
    toHost({"-m64"});
    break;
  case OPT_no_exceptions:
    toHost({"-fno-exceptions"});
    break;
  case OPT_ftemplate_depth:
    passToBoth(std::string("-ftemplate-depth=") + arg.getValue());
    break;
  case OPT_ftemplate_backtrace_limit: // gcc has no such limit of notes
    line.frontend.clangArgs.push_back(std::string("-ftemplate-backtrace-limit=") + arg.getValue());
    break;
  case OPT_optimize:
    toHost({std::string("-O") + arg.getValue()});
    break;
  case OPT_pthread:
    toHost({"-pthread"});
    line.linkArgs.push_back("-pthread");
    break;
  default:
    passByGroup(arg);
  }
}

/// Whether a flag of the linker holds for what stands behind it.
static bool dependsOnPlace(StringRef flag) {
  constexpr StringLiteral words[] = {"whole-archive", "as-needed", "-Bstatic", "-Bdynamic",
                                     "push-state",    "pop-state", "-group"};
  return any_of(words, [&](StringRef word) { return flag.contains(word); });
}

/// Names libraries that stand in front of a file behind all files again. nvcc puts all of them
/// there: a linker that takes only what is needed so far would drop one in front of the sources.
void CommandLineParser::repeatLibrariesBehindFiles() {
  auto isFlag = [](const Item &item) { return item.kind == Item::LinkerFlag; };
  std::vector<Item> &items = line.items;
  if (any_of(items, [&](const Item &item) { return isFlag(item) && dependsOnPlace(item.text); }))
    return;
  auto lastFile = find_if_not(reverse(items), isFlag).base();
  std::vector<Item> inFront;
  std::copy_if(items.begin(), lastFile, std::back_inserter(inFront), [&](const Item &item) {
    return isFlag(item) && StringRef(item.text).starts_with("-l");
  });
  append_range(items, inFront);
}

void CommandLineParser::readInOrder() {
  if (isLanguageOfAll(args))
    readLanguage(*args.getLastArg(OPT_x));
  for (const Arg *arg : args) {
    switch (arg->getOption().getID()) {
    case OPT_INPUT:
      readInput(arg->getValue());
      break;
    case OPT_UNKNOWN:
      readUnknown(*arg);
      break;
    case OPT_x:
      readLanguage(*arg);
      break;
    case OPT_Xcompiler:
      readPassedOn(*arg);
      break;
    case OPT_Xlinker:
      readLinkerFlags(*arg);
      break;
    default:
      passFlag(*arg);
    }
  }
  repeatLibrariesBehindFiles();
}

} // namespace regrain
