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

/// At a grain with a remainder, one kernel runs the blocks that fill a launched block. A launch of
/// its own runs the others, with a kernel without block factors.
enum class GrainPart { Whole, Remainder };

/// Adds the passes that transform a `grain.kernel` to `grain`, which has no contradictions. They
/// specialise the kernel for what is known of its launches, reshape or fuse its blocks, coarsen the
/// blocks and then the threads of the result, and clean up. An alternative to the original is then
/// optimised, and its stores and shared memory are placed as the grain says. A pass that is refused
/// fails and notes the refusal on the kernel (RefusablePass.h).
void buildGrainPipeline(mlir::OpPassManager &passes, const Grain &grain, GrainPart part);

/// Adds the passes that optimise a kernel as the parallel program that it is, at any grain: a
/// thread's own shared memory, barriers, memory, loops, and if `grain` has steps, what these read
/// again. They expect equal addresses to be one value, so a clean-up comes before them.
void buildParallelOptimisation(mlir::OpPassManager &passes, const Grain &grain);

/// Registers buildGrainPipeline as `grain-pipeline{spec=SPEC}` for command lines.
void registerGrainPipeline();

} // namespace regrain
