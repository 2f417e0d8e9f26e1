//===- HideDividends.h - Divisions that strength reduction skips *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's strength reduction takes `i % 3` for the sum of `i` and `-3 * (i / 3)`, and what is added
// to it for part of the sum. So it divides in 64 bits what is extended to 64 bits afterwards, and
// keeps a variable of 64 bits for each division of an unrolled loop. A division of 64 bits by a
// constant takes about four times as many instructions as one of 32 bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Freezes what loops divide, if it follows from their counters: strength reduction does not look
/// through this, and no instruction results. Run this behind all passes that simplify divisions.
struct HideDividends : llvm::PassInfoMixin<HideDividends> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
