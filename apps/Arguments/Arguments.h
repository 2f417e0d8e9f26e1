//===- Arguments.h - The arguments of a subcommand --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CLI11 reads the arguments; its table of options is also what the help, the man page and the
// completion of a subcommand are made from. Each option names its value with type_name(); the
// options between two calls of `app.option_defaults()->group(TITLE)` stand under that title.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace regrain::arguments {

/// Adds the arguments and options of `app` to `words`, the name, the sentences and the examples of
/// the command. `words` has the subcommands of `app` in their order.
help::Command describe(const CLI::App &app, help::Command words);

/// Reads the arguments after argv[0]. Returns nothing if the command is to run; else the exit code,
/// after the help or a message about what is wrong.
std::optional<int> parse(CLI::App &app, const help::Command &words, int argc, char **argv);

/// Describes a subcommand whose options `addOptions` lets CLI11 read into `Options`.
template <typename Options>
help::Command describe(void (*addOptions)(CLI::App &, Options &), help::Command words) {
  CLI::App app;
  Options options;
  addOptions(app, options);
  return describe(app, std::move(words));
}

/// Runs such a subcommand: returns what `work` returns for the options, or else the exit code of
/// parse().
template <typename Options, typename Work>
int run(void (*addOptions)(CLI::App &, Options &), const help::Command &words, int argc,
        char **argv, Work work) {
  CLI::App app;
  Options options;
  addOptions(app, options);
  if (std::optional<int> answered = parse(app, words, argc, argv))
    return *answered;
  return work(options);
}

/// The arguments in front of "--", and those behind it, which belong to another program.
struct Separated {
  int ownCount;
  std::vector<std::string> others;
};
Separated separate(int argc, char **argv);

/// Checks that a value is one of the words, and gives it their names.
void acceptWords(CLI::Option *option, const std::vector<std::string> &words);

/// Checks that a value is a whole number of at least `least`, or `word`, which stands for another
/// value; empty if there is none.
CLI::Validator wholeNumber(uint64_t least, const std::string &word = "");

} // namespace regrain::arguments
