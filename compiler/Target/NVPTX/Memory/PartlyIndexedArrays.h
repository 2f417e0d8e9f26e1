//===- PartlyIndexedArrays.h - Registers for a part of a kernel -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices accumulates in an array of the thread, in loops that are unrolled, so that
// all indices are constant. A loop behind them that is not unrolled stores the array. For its sake,
// LLVM keeps the whole array in local memory all the time, or the most of it that its pass for
// invariant code leaves there, which looks at a limited number of accesses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Keeps the elements of small arrays of the thread in registers, but in loops that index the array
/// by what is not constant, and at such accesses outside loops. They find the elements in local
/// memory, where these are stored in front of them, and from where they are loaded behind them if
/// they may have changed. That is done where it takes at most half the accesses that it saves.
/// Arrays of which a part is accessed in different sizes stay, and so do those whose addresses go
/// anywhere but into plain loads, stores and copies.
struct PartlyIndexedArrays : llvm::PassInfoMixin<PartlyIndexedArrays> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
