//===- ImageOptions.h - What is asked of an image ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/Choices.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Target/Target.h"
#include "runtime/image/grain.h"
#include <string>
#include <vector>

namespace regrain {

/// The device side as compiled for one __CUDA_ARCH__ (70, 90, ...).
struct ArchedDevice {
  unsigned arch = 0;
  DeviceCode *code = nullptr;
};

/// Which remarks are told. The patterns are regular expressions on the pass's
/// name, "regrain", as in clang; empty: none.
struct RemarkOptions {
  std::string passed;     ///< -Rpass=
  std::string missed;     ///< -Rpass-missed=
  std::string analysis;   ///< -Rpass-analysis=
  std::string recordFile; ///< of the optimisation record; empty: none is written
  std::string recordFormat = "yaml";
  bool silent = false; ///< nothing is told on stderr
};

struct ImageOptions {
  /// "cpu", "ptx" (for sm_70), "compute_NN" (PTX for that arch), "sm_NN" (cubin), "gfx90a".
  /// The CPU, "ptx" and AMD's are lowered from the device compile for arch 70, the
  /// others from the one for their own arch; the caller provides them.
  std::vector<std::string> targets;
  /// Those of the targets that nobody named: that one has no code for a kernel is a warning.
  std::vector<std::string> impliedTargets;
  /// --keep-going: the same of targets that were named.
  bool keepGoing = false;
  std::vector<GrainRequest> coarsen; ///< --coarsen, in the order given
  unsigned alternatives = 0;         ///< --alternatives=N
  bool allAlternatives = false;      ///< --alternatives=all
  TunedChoices choices;              ///< --choose
  std::string choicesFile;           ///< where they come from; empty: there are none
  bool raise = false;               ///< import the kernels even where originals alone are asked for
  bool specialise = false;          ///< --specialise: also for launches that the file shows
  unsigned alternativeSeconds = 60; ///< --alternative-timeout: of one grain, 0: none
  bool recordTimes = false;         ///< --record-compile-times: candidates carry their seconds
  CodegenOptions codegen;
  RemarkOptions remarks;
  std::string source; ///< as named on the command line
};

} // namespace regrain
