//===- GuardedCopies.h - Copies of a thread that are in flight together ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block copy a tile in a loop such as
//
//   #pragma unroll
//   for (int i = threadIdx.x; i < 1024; i += 128) tile[i] = array[i];
//
// Unrolled, it is a chain of copies with an exit behind each one, because the length of the block
// is not known. ptxas moves no load over the branch of an exit, so each copy waits for memory
// before the next one begins. If each copy has a guard of its own instead, ptxas predicates it, and
// all loads are in flight together, as in nvcc's loop of four copies at a time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Gives each block of a chain with a common exit a guard: the conditions of all blocks in front of
/// it. Each block loads from other memory than shared arrays, and stores to these alone, so that no
/// load waits for a store. No condition depends on what they load.
struct GuardCopies : llvm::PassInfoMixin<GuardCopies> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
