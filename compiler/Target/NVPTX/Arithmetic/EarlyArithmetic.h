//===- EarlyArithmetic.h - Arithmetic before its operands live on *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// InstCombine moves what only the block of the return uses into this block, from wherever it is.
// If that is the end of a long kernel, a polynomial is computed there, and all its operands are
// held until then: seven sines and cosines took 255 registers. ptxas orders instructions within a
// block, and does not bring them back.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Moves arithmetic on floating-point numbers up to its operands, over blocks that run as often, if
/// the operands that nothing else uses have at least as many bits as the result. So nothing runs
/// that did not run before, and no more is held over a block. Products stay that the code generator
/// may fuse with a sum. Arithmetic on what is loaded stays behind later loads: in front of them, it
/// would wait.
struct EarlyArithmetic : llvm::PassInfoMixin<EarlyArithmetic> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
