//===- FoldApproximations.h - Constants of fast math ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM does not fold approximate logarithms and powers. A loop whose bound is __log2f(16) or whose
// step is __powf(2, i) is then neither counted nor unrolled, and its remainders are divisions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Folds lg2.approx.f32 of powers of two from 1 on, ex2.approx.f32 of integers from -126 to 127,
/// and the device library's __log2f and __powf that use them. For these arguments sm_90 returns the
/// exact value, which was verified for each of them; lg2 of a power of two below 1 is not exact
/// there and is not folded. PTX only bounds the error (PTX ISA, "ex2", "lg2"), and the exact value
/// lies within the bound.
struct FoldApproximations : llvm::PassInfoMixin<FoldApproximations> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain
