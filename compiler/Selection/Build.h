//===- Build.h - Results of the work on one file ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Candidate.h"
#include "compiler/Import/Import.h"
#include "compiler/Selection/Plan.h"
#include "compiler/Target/Registry/Registry.h"
#include "llvm/ADT/SmallVector.h"
#include <latch>

namespace regrain {

/// One device compile and what the pipeline has made of it.
struct DeviceWork {
  Architecture arch;
  DeviceCode *code = nullptr;
  std::vector<DeviceVariable> variables;  ///< those that modules may reach
  llvm::SmallVector<char, 0> bitcode;     ///< the device module
  std::optional<ImportedModule> imported; ///< set only if alternatives are asked for
  std::vector<std::string> kernelSymbols() const;
  /// Returns the same with those that only run as variants.
  std::vector<std::string> allSymbols() const;

  /// Returns the bitcode from which originals are made; `fixed` is Target::takesFixedProducts.
  /// Grains and originals then fuse the same products.
  llvm::ArrayRef<char> originalsFor(bool fixed) const;

  /// Returns the kernel as this compile sees it, whose launch bounds may be its own.
  const DeviceKernel &kernelNamed(llvm::StringRef symbol) const { return *findKernel(symbol); }

  /// Returns the same, also for kernels that only run as variants; null if this compile has none.
  const DeviceKernel *findKernel(llvm::StringRef symbol) const;
};

/// A module that one target made, before it is packed.
struct TargetOutput {
  unsigned target = 0; ///< index into the selected targets
  CompiledModule module;
  std::vector<std::string> slots; ///< variables that the module reaches by an address slot
  bool isInBase = false;          ///< the code is in the base module, and `module` has none
  bool isShared = false;          ///< it is that of another grain, which the runtime finds
};

/// What became of one grain of one kernel on the targets of one device compile.
struct AlternativeOutcome {
  std::vector<TargetOutput> outputs;
  std::vector<RefusedGrain> refused;
  std::vector<CandidateCode> codes; ///< what became of it on each target that was tried
  bool exported = false;            ///< legal, and ready for the back ends
  bool timedOut = false;
  bool tooLarge = false; ///< too large for a target, which has not compiled it completely
  bool wholeWarps = false;
  uint64_t lentBytes = 0; ///< global memory of a launched block
  double seconds = 0;     ///< wall clock of transform and export

  /// Returns whether a target has code for it, or would have if any target had been asked for.
  bool isThere() const { return !outputs.empty() || (exported && codes.empty()); }
};

struct PreparedDevices {
  std::unique_ptr<mlir::MLIRContext> context; ///< owns what `works` imported
  std::vector<DeviceWork> works;              ///< in the order of the devices
  std::vector<KernelFacts> facts;             ///< of the first device's kernels
  Plan plan;                                  ///< over the first device's kernels
};

/// The work on one file: what was prepared, and what the tasks return.
struct Build {
  const ImageOptions &options;
  std::vector<SelectedTarget> targets;
  PreparedDevices prepared;
  std::vector<std::optional<CompiledModule>> bases; ///< by target

  struct AlternativeTask {
    const DeviceWork *device;
    unsigned kernel;
    unsigned grain;
    AlternativeOutcome outcome;
  };
  std::vector<AlternativeTask> alternatives;
  std::vector<RefusedGrain> refused;
  std::vector<Candidate> candidates;     ///< every grain that was tried, by kernel
  std::unique_ptr<std::latch> basesLeft; ///< base modules that are still to be compiled

  const DeviceCode &code() const { return *prepared.works.front().code; }
  const DeviceWork &deviceFor(const SelectedTarget &target) const;

  /// Returns the original of a kernel as a target compiled it; null if the target has none.
  const KernelCode *originalOf(unsigned kernel, unsigned target) const;
};

} // namespace regrain
