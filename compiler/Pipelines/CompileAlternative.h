//===- CompileAlternative.h - One kernel at one grain -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Instructions of the original of the kernel on a target, by its index; 0 where
/// they are not known. May wait until the originals are compiled.
using OriginalSize = std::function<uint64_t(unsigned)>;

/// Re-grains a kernel and compiles it for every target that is lowered from
/// `device`. What a back end fails on is refused like what is not legal. May run
/// beside others with the same arguments' owners.
///
/// A grain that a target's limits rule out does not reach its back end, and code
/// that has grown too much not its last stage, where `originalSize` is given. Past
/// `secondsLimit` (0: none) of wall clock the rest is dropped: the clock is read
/// between the transforms, the export and each back end, which are not
/// interrupted but for the assembler, a process that is ended.
AlternativeOutcome compileAlternative(const DeviceWork &device, const DeviceKernel &kernel,
                                      const Grain &grain, llvm::ArrayRef<SelectedTarget> targets,
                                      const CodegenOptions &options, unsigned secondsLimit,
                                      const OriginalSize &originalSize = {});

/// Clones `kernel`'s operation into a module of its own and applies the grain.
/// Where it is refused the module is empty and `refused` says why.
mlir::OwningOpRef<mlir::ModuleOp> regrainKernel(const ImportedModule &imported,
                                                const DeviceKernel &kernel, const Grain &grain,
                                                std::vector<RefusedGrain> &refused);

/// The same for the remainder that a launch at the grain leaves.
mlir::OwningOpRef<mlir::ModuleOp> regrainRemainder(const ImportedModule &imported,
                                                   const DeviceKernel &kernel, const Grain &grain,
                                                   std::vector<RefusedGrain> &refused);

} // namespace regrain
