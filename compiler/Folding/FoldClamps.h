//===- FoldClamps.h - Clamps of floats as doubles ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fmin and fmax of a float and another type are functions of doubles in C++. A clamp of a float to
// constants is converted, compared as a double, and converted back, of which a GPU does as little
// as a quarter or less of what it does with floats.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Computes the least or greatest of numbers as floats if they are floats or constants that floats
/// have exactly, and the result is converted to float. At least one number of each pair is a
/// constant other than 0, so that neither the sign of 0 nor what is no number differs.
struct FoldClamps : llvm::PassInfoMixin<FoldClamps> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain
