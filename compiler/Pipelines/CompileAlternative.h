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

/// Returns the number of instructions of the kernel's original on a target, given by its index; 0
/// if it is not known. May wait until the originals are compiled.
using OriginalSize = std::function<uint64_t(unsigned)>;

/// Re-grains a kernel and compiles it for every target that is lowered from `device`. A grain on
/// which a back end fails is refused like an illegal one. Several threads may call this at once for
/// the same device work.
///
/// A grain that exceeds a target's limits does not reach its back end, and code that has grown too
/// much does not reach the last stage, if `originalSize` is given. After `secondsLimit` (0: none)
/// of wall-clock time the rest is dropped: the clock is checked between the transforms, the export
/// and each back end. None of these is interrupted except the assembler, whose process is killed.
AlternativeOutcome compileAlternative(const DeviceWork &device, const DeviceKernel &kernel,
                                      const Grain &grain, llvm::ArrayRef<SelectedTarget> targets,
                                      const CodegenOptions &options, unsigned secondsLimit,
                                      const OriginalSize &originalSize = {});

/// A module with a kernel at a grain, or why there is none.
using RegrainedModule = std::variant<mlir::OwningOpRef<mlir::ModuleOp>, RefusedGrain>;

/// Clones `kernel`'s operation into a separate module and applies the grain. The passes are timed
/// in `timing` if it is given.
[[nodiscard]] RegrainedModule regrainKernel(const ImportedModule &imported,
                                            const DeviceKernel &kernel, const Grain &grain,
                                            GrainPart part, mlir::TimingScope *timing = nullptr);

} // namespace regrain
