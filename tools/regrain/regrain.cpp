//===- regrain.cpp - The subcommands --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "apps/Compile/Compile.h"
#include "apps/Database/Database.h"
#include "apps/Report/Inspect.h"
#include "apps/Suite/Suite.h"
#include "apps/Tune/Tune.h"
#include "runtime/image/grain_keys.h"
#include <iostream>
#include <string_view>

namespace {

int showHelp(int, char **);
int showVersion(int, char **);

struct Subcommand {
  std::string_view name;
  std::string_view help;
  int (*run)(int argc, char **argv); ///< argv[0] is the subcommand's name
};

constexpr Subcommand subcommands[] = {
    {"cc", "compile CUDA C++; takes nvcc's and clang's flags", regrain::runCompiler},
    {"inspect", "show the kernels, grains and resources in a file", regrain::runInspect},
    {"explain", "say which grains each kernel can have, and why not others", regrain::runExplain},
    {"tune", "measure a program's kernels at other grains while it runs", regrain::runTune},
    {"db", "show and change what tuning has learnt", regrain::runDatabase},
    {"suite", "build and run a folder of programs at every grain, and compare", regrain::runSuite},
    {"help", "show this list; 'help grains' says what a grain can say", showHelp},
    {"version", "show the version", showVersion},
};

int showHelp(int argc, char **argv) {
  if (argc > 1 && std::string_view(argv[1]) == "grains") {
    std::cout << regrain::describeGrainKeys();
    return 0;
  }
  std::cout << "usage: regrain SUBCOMMAND ...\n\n";
  for (const Subcommand &subcommand : subcommands)
    std::cout << "  " << subcommand.name << std::string(12 - subcommand.name.size(), ' ')
              << subcommand.help << '\n';
  std::cout << "\n'regrain SUBCOMMAND --help' says more.\n";
  return 0;
}

int showVersion(int, char **) {
  std::cout << "regrain " REGRAIN_VERSION "\n";
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::string_view name = argc > 1 ? argv[1] : "help";
  if (name == "--help" || name == "-h")
    name = "help";
  if (name == "--version")
    name = "version";
  for (const Subcommand &subcommand : subcommands)
    if (name == subcommand.name)
      return subcommand.run(argc - 1, argv + 1);
  std::cerr << "regrain: error: unknown subcommand '" << name << "'; 'regrain help' lists them\n";
  return 1;
}
