//===- JoinedConditions.h - One branch for two conditions -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM keeps two branches for `a && b` if `b` takes more than one operation beside its comparison.
// Where the lanes of a warp differ in both, they part twice, and meet twice. A few operations take
// less time than that. nvcc asks with one branch if `b` takes up to four.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Asks for both conditions with one branch where the second one takes up to four operations. Only
/// operations of integers run without the first condition: whether a product of other numbers is
/// fused depends on its block.
struct JoinConditions : llvm::PassInfoMixin<JoinConditions> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
