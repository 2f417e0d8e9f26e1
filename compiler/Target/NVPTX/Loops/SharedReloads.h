//===- SharedReloads.h - Shared memory read in each iteration ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM reads in front of a loop what the loop does not change. A query of 64 numbers in shared
// memory then stays in 64 registers, and ptxas has three loads of the keys under way in place of
// twenty, although it could take more registers:
//
//   for (int token = threadIdx.x; token < count; token += blockDim.x)
//     for (int i = 0; i < 64; ++i) // unrolled
//       sum += query[i] * keys[token * 64 + i];
//
// A load from shared memory takes about 30 cycles, one from memory 500 or more.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Moves loads from shared memory that stand in front of an innermost loop to where it uses them,
/// if they and what an iteration loads from memory take too many registers together. Nothing
/// between the load and the end of the loop may write what is loaded, or order memory: no other
/// thread may write it before it waits for this one.
struct SharedReloads : llvm::PassInfoMixin<SharedReloads> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
