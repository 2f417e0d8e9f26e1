//===- regrain.cpp - The subcommands --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "apps/Compile/Compile.h"
#include "apps/CompileCommands/CompileCommands.h"
#include "apps/CudaPath/CudaPath.h"
#include "apps/Database/Database.h"
#include "apps/Database/Facts.h"
#include "apps/HtmlReport/HtmlReport.h"
#include "apps/Report/Inspect.h"
#include "apps/Suite/Suite.h"
#include "apps/Terminal/StandardOutput.h"
#include "apps/Tune/Tune.h"
#include "compiler/Driver/OptionHelp.h"
#include "compiler/Help/HelpText.h"
#include "compiler/Help/Nearest.h"
#include "runtime/image/grain_keys.h"
#include "tools/regrain/Pages.h"
#include <algorithm>
#include <iostream>
#include <string_view>

using namespace regrain;

namespace {

int showHelp(int, char **);
int showVersion(int, char **);
help::Command describeHelp();
help::Command describeVersion();

struct Subcommand {
  std::string_view name;
  int (*run)(int argc, char **argv); ///< argv[0] is the subcommand's name
  help::Command (*describe)();
};

int explainHere(int argc, char **argv) { return runExplain(argc, argv, database::factsHere); }

constexpr Subcommand subcommands[] = {
    {"cc", runCompiler, describeCompiler},
    {"inspect", runInspect, describeInspect},
    {"explain", explainHere, describeExplain},
    {"tune", runTune, describeTune},
    {"db", runDatabase, describeDatabase},
    {"report", runHtmlReport, describeHtmlReport},
    {"suite", runSuite, describeSuite},
    {"cuda-path", runCudaPath, describeCudaPath},
    {"compile-commands", runCompileCommands, describeCompileCommands},
    {"help", showHelp, describeHelp},
    {"version", showVersion, describeVersion},
};

help::Command describeHelp() {
  help::Command command;
  command.name = "regrain help";
  command.summary = "Show this list, or the help of a command";
  command.paragraphs = {
      "Shows the commands, the help of one of them, or with 'grains' the notation "
      "of grains."};
  command.arguments = {{"[COMMAND|grains]", "The command whose help is shown, or 'grains'"}};
  help::Option write = {
      {{"--write", true, true}},
      "DIR",
      "Write the man pages, and the completion of bash, zsh and fish, below DIR as "
      "they lie in /usr/share"};
  help::Option help = {{{"-h"}, {"--help"}}, "", "Show this text"};
  command.groups = {{"Pages", {write}}, {"Information", {help}}};
  command.examples = {{"regrain help tune", "Show what 'regrain tune --help' shows."},
                      {"regrain help grains", "Say what a grain can say."}};
  return command;
}

help::Command describeVersion() {
  help::Command command;
  command.name = "regrain version";
  command.summary = "Show the version";
  command.paragraphs = {
      "Shows the version. 'regrain cc --version' also names the release of CUDA."};
  command.examples = {
      {"regrain version", "Show the version of Regrain."},
      {"regrain cc --version", "Show what nvcc would answer to configure scripts."}};
  return command;
}

help::Command describeAll() {
  help::Command command;
  command.name = "regrain";
  command.summary = "Compile CUDA programs for any GPU and the CPU, and make them faster";
  command.paragraphs = {
      "Compiles CUDA programs as they are, for NVIDIA GPUs, AMD GPUs and the CPU, and makes their "
      "kernels faster by changing how much of the work one thread and one block do."};
  for (const Subcommand &subcommand : subcommands)
    command.subcommands.push_back(subcommand.describe());
  command.examples = {
      {"regrain cc -O3 --alternatives=16 app.cu -o app",
       "Build a program with 16 other grains of each kernel."},
      {"regrain tune -- ./app", "Measure them on the program's own data, and choose."}};
  return command;
}

int fail(const std::string &sentence) {
  std::cerr << "regrain: error: " << sentence << '\n';
  return 1;
}

std::vector<std::string> namesOf(const std::vector<help::Command> &commands) {
  std::vector<std::string> names;
  for (const help::Command &command : commands)
    names.push_back(command.lastName());
  return names;
}

/// Shows the help of the command that the words name, each a subcommand of the one before.
int showHelpOf(help::Command command, int argc, char **argv) {
  for (int i = 0; i < argc; ++i) {
    std::vector<help::Command> below = std::move(command.subcommands);
    auto named = std::ranges::find(below, std::string(argv[i]), &help::Command::lastName);
    if (named == below.end())
      return fail(std::string("there is no command '") + argv[i] + "'" +
                  help::didYouMean(argv[i], namesOf(below)));
    command = help::Command(*named);
  }
  std::cout << help::helpText(command);
  return 0;
}

int writeAllPages(const std::string &folder) {
  std::string failed = writePages(describeAll(), folder);
  return failed.empty() ? 0 : fail("cannot write " + failed);
}

int showHelp(int argc, char **argv) {
  std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "grains") {
    std::cout << describeGrainKeys();
    return 0;
  }
  if (first.starts_with("--write="))
    return writeAllPages(argv[1] + std::string_view("--write=").size());
  if (first == "--write")
    return argc > 2 ? writeAllPages(argv[2]) : fail("option '--write' needs a value");
  if (first == "--help" || first == "-h")
    return showHelpOf(describeHelp(), 0, argv);
  return showHelpOf(describeAll(), argc - 1, argv + 1);
}

int showVersion(int argc, char **argv) {
  std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h")
    return showHelpOf(describeVersion(), 0, argv);
  if (argc > 1)
    return fail("version: '" + std::string(first) + "' is one argument too many");
  std::cout << "regrain " REGRAIN_VERSION "\n";
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::string_view name = argc > 1 ? argv[1] : "help";
  if (name == "--help" || name == "-h")
    name = "help";
  if (name == "--version" || name == "--cuda-path")
    name.remove_prefix(2);
  for (const Subcommand &subcommand : subcommands)
    if (name == subcommand.name)
      return terminal::endOutput("regrain", subcommand.run(argc - 1, argv + 1));
  std::string nearest = help::didYouMean(name, namesOf(describeAll().subcommands));
  return fail("unknown command '" + std::string(name) + "'" +
              (nearest.empty() ? "; 'regrain help' lists them" : nearest));
}
