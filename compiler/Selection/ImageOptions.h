//===- ImageOptions.h - What is asked of an image ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/Choices.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Target/CodeStage.h"
#include "compiler/Target/Target.h"
#include "compiler/VendorCode/VendorCode.h"
#include "runtime/image/grain.h"
#include <string>
#include <vector>

namespace regrain {

/// The device side as compiled for one architecture.
struct ArchedDevice {
  Architecture arch;
  DeviceCode *code = nullptr;
};

/// Which remarks are printed. The patterns are regular expressions for the pass's name, "regrain",
/// as in clang; an empty pattern matches nothing.
struct RemarkOptions {
  std::string passed;     ///< -Rpass=
  std::string missed;     ///< -Rpass-missed=
  std::string analysis;   ///< -Rpass-analysis=
  std::string recordFile; ///< file of the optimisation record; empty: none is written
  std::string recordFormat = "yaml";
  bool silent = false; ///< nothing is printed on stderr
};

struct ImageOptions {
  /// The targets: "cpu", "ptx" (for sm_70), "compute_NN" (PTX for that arch), "sm_NN" (cubin),
  /// "gfx90a". The CPU, "ptx" and AMD's targets are lowered from the device compile for arch 70,
  /// the others from the one for their own arch; the caller provides these compiles.
  std::vector<std::string> targets;
  /// The form of the modules, for targets that write it.
  CodeForm form = CodeForm::Image;
  /// The targets that nobody named: if such a target has no code for a kernel, that is only a
  /// warning.
  std::vector<std::string> impliedTargets;
  /// --keep-going: named targets are treated in the same way.
  bool keepGoing = false;
  bool failsOnWarnings = false;      ///< -Werror: what is said of grains is an error
  std::vector<GrainRequest> coarsen; ///< --coarsen, in the order given
  unsigned alternatives = 0;         ///< --alternatives=N
  bool allAlternatives = false;      ///< --alternatives=all
  TunedChoices choices;              ///< --choose
  std::string choicesFile;           ///< file from which they come; empty: there are none
  TunedChoices launches;             ///< --launches: of which only the launches matter
  bool raise = false;                ///< import the kernels even if only originals are asked for
  VendorCompiler vendor;             ///< whose code is one more alternative
  bool specialise = false;           ///< --specialise: also for launches that the file shows
  bool reordersSums = false;         ///< --reassociate: grains may form sums in another order
  unsigned alternativeSeconds = 60;  ///< --alternative-timeout, per grain; 0: none
  bool recordTimes = false;          ///< --record-compile-times: candidates contain their seconds
  CodegenOptions codegen;
  RemarkOptions remarks;
  std::string source; ///< as named on the command line
};

} // namespace regrain
