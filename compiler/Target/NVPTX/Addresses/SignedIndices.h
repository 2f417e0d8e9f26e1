//===- SignedIndices.h - One extension for a loop's indices -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM extends an index that cannot be negative with zeros, and with its sign where it no longer
// knows that. Strength reduction does not know that both are the same number, so it keeps two
// pointers for a[i] and a[i + 1]. ptxas then cannot tell whether a store through one changes what
// the other loads, and leaves all of them in their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// In an innermost loop that extends a value of 32 bits both ways, extends all values that cannot
/// be negative with their sign. Run this behind all passes that simplify extensions.
class SignedIndices : public llvm::PassInfoMixin<SignedIndices> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
