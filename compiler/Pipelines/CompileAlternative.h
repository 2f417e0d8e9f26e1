//===- CompileAlternative.h - One kernel at one grain -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"
#include "compiler/Transforms/GrainPipeline.h"
#include <variant>

namespace regrain {

/// Decides whether the code of one grain is compiled completely. Both functions get the index of a
/// target, and return why it is not, as one clause; an empty function admits everything.
struct Admission {
  /// Decides by the number of instructions, before the stage that takes longest
  /// (AlternativeLimits::admits). May wait for the originals and for other grains.
  std::function<std::optional<std::string>(unsigned, uint64_t)> findExcess = {};
  /// Decides before the back end runs. Dropped is only what findExcess would drop.
  std::function<std::optional<std::string>(unsigned)> findSpent = {};
};

/// Re-grains a kernel and compiles it as `symbol` for every target that is lowered from `device`. A
/// grain on which a back end fails is refused like an illegal one. Several threads may call this at
/// once for the same device work.
///
/// A grain that exceeds a target's limits does not reach its back end, and code that `admission`
/// refuses does not reach the last stage. After `secondsLimit` (0: none) of processor time the
/// rest is dropped: the clock is checked between the transforms, the export and each back end. None
/// of these is interrupted except the assembler, whose process is killed.
AlternativeOutcome compileAlternative(const DeviceWork &device, const DeviceKernel &kernel,
                                      const std::string &symbol, const Grain &grain,
                                      llvm::ArrayRef<SelectedTarget> targets,
                                      const CodegenOptions &options, unsigned secondsLimit,
                                      const Admission &admission = {});

/// Returns the name of a kernel's function at a grain.
[[nodiscard]] std::string symbolAt(const DeviceKernel &kernel, const Grain &grain);

/// Marks the kernels `symbols` with the parts of the grain that targets implement.
void tellTargets(llvm::Module &module, llvm::ArrayRef<std::string> symbols, const Grain &grain);

/// A module with a kernel at a grain, or why there is none.
using RegrainedModule = std::variant<mlir::OwningOpRef<mlir::ModuleOp>, RefusedGrain>;

/// Clones `kernel`'s operation into a separate module and applies the grain. The passes are timed
/// in `timing` if it is given.
[[nodiscard]] RegrainedModule regrainKernel(const ImportedModule &imported,
                                            const DeviceKernel &kernel, const Grain &grain,
                                            GrainPart part, mlir::TimingScope *timing = nullptr);

} // namespace regrain
