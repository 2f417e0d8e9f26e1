//===- FoldPacking.h - Vectors that are put together again ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair of halves that is passed as a structure is split by SROA into its members, which are
// shifted into one register again where the pair is used. LLVM 19 does not see that they are the
// register that they came from.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Folds an `or` of all elements of one vector, each of them extended with zeros and shifted to its
/// place, to the vector's bits.
struct FoldPacking : llvm::PassInfoMixin<FoldPacking> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain
