//===- FoldApproximations.h - Constants of fast math ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM folds no approximate logarithm or power. A loop whose bound is
// __log2f(16) or whose step is __powf(2, i) is then neither counted nor
// unrolled, and its remainders are divisions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Folds lg2.approx.f32 of powers of two from 1, ex2.approx.f32 of whole numbers
/// from -126 to 127, and the device library's __log2f and __powf made of them.
/// There sm_90 gives the exact value, which every argument was tried for; lg2 of
/// a power of two below 1 is not exact there and stays. PTX bounds the error alone
/// (PTX ISA, "ex2", "lg2"), and the exact value is within it.
struct FoldApproximations : llvm::PassInfoMixin<FoldApproximations> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain
