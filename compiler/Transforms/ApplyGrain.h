//===- ApplyGrain.h - A kernel at another grain -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"
#include "llvm/ADT/SmallVector.h"

namespace regrain {

/// Specialises `kernel`, which has one nest, for what is known of its launches,
/// reshapes or fuses its blocks, coarsens the blocks, then the threads of the
/// result, and cleans up; what is not the original is then optimised (barriers, memory,
/// loops), and its stores and shared memory put where the grain says. Where a step is refused the kernel is unchanged, and the refusal is appended to
/// `refusals`, if given. Several threads may call this at once on kernels of different modules.
///
/// With `grain.remainder` the kernel runs the blocks that fill a launched one
/// alone; for the others, see applyToRemainder.
llvm::LogicalResult applyGrain(grain::KernelOp kernel, const Grain &grain,
                               llvm::SmallVectorImpl<Refusal> *refusals);

/// The same for the launch of the blocks that the kernel at `grain`, which has a
/// remainder, leaves: they run as without block factors, from one on that the
/// launch is told.
llvm::LogicalResult applyToRemainder(grain::KernelOp kernel, const Grain &grain,
                                     llvm::SmallVectorImpl<Refusal> *refusals);

/// Optimises the kernel as the parallel program that it is, at whatever grain: a
/// thread's own shared memory, barriers, memory, loops. Addresses that are the
/// same are taken to be one value (cleanUp).
void optimiseParallel(grain::KernelOp kernel);

/// Folds, drops what is unused and merges what is computed twice. Loops and
/// regions that carry loop hints keep their form.
llvm::LogicalResult cleanUp(grain::KernelOp kernel);

} // namespace regrain
