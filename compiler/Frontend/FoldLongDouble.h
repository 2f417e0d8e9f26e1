//===- FoldLongDouble.h - Logarithms of constants on the host ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM folds logarithms of constants in double, but not in the 80 bits of x86's long
// double. libstdc++'s std::generate_canonical, on which the distributions of <random>
// rest, takes two such logarithms for every number: unless they are folded, a program
// spends most of its time there when it fills its arrays.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_COMPILER_FRONTEND_FOLDLONGDOUBLE_H
#define REGRAIN_COMPILER_FRONTEND_FOLDLONGDOUBLE_H

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Replaces logl, log2l and log10l of positive finite constants by the values that this machine's
/// C library gives. Calls that set errno stay. Does nothing where this machine's long double has
/// another format.
struct FoldLongDouble : llvm::PassInfoMixin<FoldLongDouble> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain

#endif
