//===- MathForms.h - Forms of arithmetic that LLVM knows --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libdevice are made of NVPTX's own operations. LLVM 19 computes few of those with
// constant operands, and knows nothing of instructions that are written as inline assembly. It has
// no instruction for copysign on NVPTX and selects between two values instead.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Replaces rcp.approx and rsqrt.approx as inline assembly by their intrinsics, and says of
/// approximations in one instruction that they may be executed where the program does not. LLVM 19
/// does not know it, and so leaves them, and what depends on them, in loops. To be called before
/// optimisation.
void nameApproximations(llvm::Module &module);

/// Replaces NVPTX's absolute values by llvm.fabs, where both flush subnormal numbers or neither
/// does, and square roots of constants that round to nearest by their results.
class UseKnownForms : public llvm::PassInfoMixin<UseKnownForms> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Replaces llvm.copysign of floats and doubles by operations on their bits, which ptxas makes one
/// instruction. To be called after the optimiser, which knows llvm.copysign.
void copySignsByBits(llvm::Module &module);

} // namespace regrain::nvptx
