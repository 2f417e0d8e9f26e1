//===- Build.h - All modules of one file ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Candidate.h"
#include "compiler/Pipelines/PackImage.h"
#include "compiler/Pipelines/Prepare.h"
#include <latch>

namespace regrain {

/// Work on one file: what was prepared, and what the tasks bring back.
struct Build {
  const ImageOptions &options;
  std::vector<SelectedTarget> targets;
  PreparedDevices prepared;
  std::vector<DeviceVariable> variables;
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
  std::unique_ptr<std::latch> basesLeft; ///< to compile

  const DeviceCode &code() const { return *prepared.works.front().code; }
  const DeviceWork &deviceFor(const SelectedTarget &target) const;

  /// The original of a kernel as a target compiled it; nothing where it has none.
  const KernelCode *originalOf(unsigned kernel, unsigned target) const;
};

/// Compiles the originals of each target and each grain of each kernel, one
/// task per module, on all cores. Grains of the space are taken in its order
/// until the budget is full of legal ones; then those that are not worth keeping
/// are dropped. The outcome does not depend on the order in which tasks end.
llvm::Expected<std::unique_ptr<Build>> compileAll(llvm::ArrayRef<ArchedDevice> devices,
                                                  const ImageOptions &options);

/// The modules of the image, the base of each target before its alternatives.
llvm::Expected<std::vector<PackedModule>> packModules(Build &build);

} // namespace regrain
