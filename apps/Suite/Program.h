//===- Program.h - Build and run one program of a suite ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Suite/Compare.h"
#include "apps/Suite/Workspace.h"

#include <functional>
#include <string>
#include <vector>

namespace regrain::suite {

struct Options {
  std::string folder;             ///< of the suite
  std::string jsonFile;           ///< empty: no file
  std::string workFolder;         ///< kept; empty: a temporary folder
  std::string filter;             ///< glob for the program's path in the suite; empty: all
  std::string run = "run";        ///< the script or target that runs a program
  std::string alternatives = "8"; ///< N or "all"
  std::string targets = "cpu";
  std::string device = "cpu";
  unsigned jobs = 1;
  unsigned limit = 300; ///< in seconds, for each build and each run
  bool buildOnly = false;
  /// Hears what is being done: a program's name, and "build" or "block.x=2, run 3 of 9". Any
  /// threads may call; empty: nobody does.
  std::function<void(const std::string &program, const std::string &step)> onStep;
};

enum class Verdict {
  Right,       ///< the request was carried out, and nothing differs
  Wrong,       ///< the output differs, or the run failed
  NotPossible, ///< it was not possible; the reason says why
  NotAsked     ///< an earlier step failed, or it was not requested
};

/// Returns "yes", "WRONG", "no" or "-".
const char *toString(Verdict verdict);

struct StepResult {
  Verdict verdict = Verdict::NotAsked;
  std::string reason; ///< one phrase, with the last lines of output if a command failed
  double seconds = 0;
};

struct AlternativeResult {
  std::string id;
  bool launched = false; ///< the program launched its kernel in that run
  std::string gaveWay;   ///< the reason why the original ran for some launch, or empty
  Verdict verdict = Verdict::NotAsked;
  std::string reason;
};

struct KernelResult {
  std::string name;
  std::vector<AlternativeResult> alternatives; ///< without the original
};

struct ProgramResult {
  std::string name; ///< the folder's path in the suite
  StepResult build, run, alternatives;
  Compared compared;
  std::vector<KernelResult> kernels;
  unsigned runs = 0; ///< number of runs of the program
};

/// Builds the program in `folder`, a folder of the workspace's copy, runs it and
/// compares the results. Throws std::filesystem::filesystem_error.
ProgramResult tryProgram(const std::filesystem::path &folder, const std::string &name,
                         const Workspace &workspace, const Options &options);

} // namespace regrain::suite
