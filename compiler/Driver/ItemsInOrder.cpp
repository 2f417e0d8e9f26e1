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

std::vector<std::string> CommandLineParser::rendered(const Arg &arg) const {
  ArgStringList list;
  arg.render(args, list);
  return {list.begin(), list.end()};
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
  if (args.hasArg(OPT_forward_host))
    return toHost({spelling.str()});
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

void CommandLineParser::readInput(StringRef path) {
  StringRef extension = sys::path::extension(path);
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
    StringRef library = arg.getValue();
    // Our runtime replaces these.
    if (!is_contained({"cudart", "cudart_static", "cudadevrt"}, library))
      line.items.push_back({Item::LinkerFlag, ("-l" + library).str()});
    return;
  }
  for (std::string &flag : rendered(arg))
    line.items.push_back({Item::LinkerFlag, std::move(flag)});
}

void CommandLineParser::passByGroup(const Arg &arg) {
  const Option option = arg.getOption();
  if (option.matches(OPT_unsupported_Group)) {
    fail("option '" + arg.getAsString(args) +
         "' is not supported: " + table().getOptionHelpText(option.getID()));
  } else if (option.matches(OPT_both_Group)) {
    toBothSides(arg);
    if (option.matches(OPT_f))
      append(line.linkArgs, rendered(arg));
  } else if (option.matches(OPT_host_Group)) {
    toHost(rendered(arg));
  } else if (option.matches(OPT_link_Group)) {
    passLinkFlag(arg);
  }
}

void CommandLineParser::readInOrder() {
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
    case OPT_std:
      line.frontend.clangArgs.push_back(std::string("-std=") + arg->getValue());
      line.otherArgs.push_back(std::string("-std=") + arg->getValue());
      break;
    case OPT_optimize:
      toHost({std::string("-O") + arg->getValue()});
      break;
    case OPT_Xcompiler:
      readPassedOn(*arg);
      break;
    case OPT_Xlinker:
      for (const std::string &flag : splitPassedOn(arg->getValue())) {
        line.items.push_back({Item::LinkerFlag, "-Xlinker"});
        line.items.push_back({Item::LinkerFlag, flag});
      }
      break;
    case OPT_pthread:
      toHost({"-pthread"});
      line.linkArgs.push_back("-pthread");
      break;
    default:
      passByGroup(*arg);
    }
  }
}

} // namespace regrain
