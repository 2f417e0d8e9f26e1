//===- Command.h - The description of a command -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help, man pages and shell completion are made from this description. It is derived from the
// parser's own tables (Driver/OptionHelp.h, apps/Arguments), so that all of them list what is
// accepted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <vector>

namespace regrain::help {

/// A name of an option, and the places at which a value may stand: none of them for a flag.
struct Spelling {
  std::string name;         ///< "-o", "--emit"
  bool isNext = false;      ///< -o FILE
  bool isAfterSign = false; ///< --emit=STAGE
  bool isJoined = false;    ///< -O3
  bool isShown = true;      ///< in help; false for the same name behind another number of dashes
};

struct Option {
  std::vector<Spelling> spellings; ///< the usual one comes first
  /// The value's name, empty for a flag. Shells complete files for FILE and folders for DIR. Words
  /// in lower case, separated by '|', are themselves values.
  std::string value;
  std::string text;        ///< one sentence without its full stop; may be empty
  bool isOptional = false; ///< the value may be missing: --code, --code=FORM
};

struct Group {
  std::string title;
  std::vector<Option> options;
};

/// What stands on the command line without an option.
struct Argument {
  std::string form; ///< "FILE", "[GLOB]"
  std::string text;
};

struct Example {
  std::string line;
  std::string effect; ///< one sentence
};

struct Command {
  std::string name;    ///< "regrain db list"
  std::string summary; ///< one line, without a full stop
  std::vector<std::string> paragraphs;
  std::vector<Argument> arguments;
  std::vector<Group> groups;
  std::vector<Command> subcommands;
  std::vector<Example> examples;

  /// Returns "list" for "regrain db list".
  std::string lastName() const { return name.substr(name.rfind(' ') + 1); }
};

/// Returns "regrain db [OPTION]... COMMAND".
std::string usageOf(const Command &command);

/// Returns "-o, --output FILE".
std::string formOf(const Option &option);

/// Returns the usual name of an option.
const std::string &usualName(const Option &option);

/// Returns those values of an option that are fixed words.
std::vector<std::string> fixedValues(const Option &option);

/// Returns the command and all below it, each before its subcommands.
std::vector<const Command *> withSubcommands(const Command &command);

} // namespace regrain::help
