//===- SumOrder.h - Sums in another order -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of floating-point numbers in the program's order is a chain in which each addition waits
// for the one before. `sums=reassociated` permits another order; results then differ by rounding
// (docs/decisions/0088). Only the order of additions changes: products, fused products and
// everything else stay as they are.
//
// On GPUs a sum becomes four, each of every fourth term, which are added at the end. The other
// three begin with -0, which changes no sum, not even a zero's sign. On the CPU, LLVM's vectoriser
// is told that it may do the same in the lanes of a vector.
//
// A sum is a chain of additions, differences and fused products, each with the partial sum before
// it as the number to which it adds. Partial sums have no other use, so that compensated sums,
// which look at them, are none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace regrain {

/// Returns whether the grain of the kernels permits another order of sums.
bool mayReorderSums(const llvm::Module &module, llvm::ArrayRef<std::string> kernels);

/// Makes the pipelines of `builder` split sums: loops with a sum are unrolled, unless the program
/// or the grain says how, and each sum becomes several.
void splitSums(llvm::PassBuilder &builder);

/// Permits additions of sums in loops to be reordered, for LLVM's vectoriser.
class PermitSumOrder : public llvm::PassInfoMixin<PermitSumOrder> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Splits sums that loops carry.
class SplitLoopSums : public llvm::PassInfoMixin<SplitLoopSums> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &);
};

/// Splits long sums in a block, such as those of a loop that was unrolled completely.
class SplitBlockSums : public llvm::PassInfoMixin<SplitBlockSums> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain
