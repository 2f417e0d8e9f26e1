//===- GrainPipeline.h - The passes of a grain, in order --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Pass/PassManager.h"
#include "runtime/image/grain.h"

namespace regrain {

/// A kernel at a grain with a remainder runs the blocks that fill a launched one. The others are a
/// launch of their own, of a kernel that runs them as without block factors.
enum class GrainPart { Whole, Remainder };

/// Adds the passes over a `grain.kernel` that take it to `grain`, which has no contradictions. They
/// specialise it for what is known of its launches, reshape or fuse its blocks, coarsen the blocks,
/// then the threads of the result, and clean up. What is not the original is then optimised, and
/// its stores and shared memory are put where the grain says. A pass that is refused fails and
/// notes the refusal on the kernel (RefusablePass.h).
void buildGrainPipeline(mlir::OpPassManager &passes, const Grain &grain, GrainPart part);

/// Adds the passes that optimise a kernel as the parallel program that it is, at whatever grain: a
/// thread's own shared memory, barriers, memory, loops. They take addresses that are the same to be
/// one value, so that a clean-up goes before them.
void buildParallelOptimisation(mlir::OpPassManager &passes);

/// Makes buildGrainPipeline known to command lines, as `grain-pipeline{spec=SPEC}`.
void registerGrainPipeline();

} // namespace regrain
