//===- FoldRounded.h - Constants of the math library ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice computes with NVIDIA's intrinsic functions, of which LLVM folds some. So the sine of a
// constant is computed at run time, with the branches and the loop that reduce large arguments.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Folds intrinsic functions of NVPTX with constant arguments whose result IEEE 754 defines: sums,
/// products, fused products, quotients and reciprocals that are rounded in a given direction,
/// conversions between numbers that are, absolute values, and the halves of a double. What uses a
/// folded result is folded as well. Calls stay if an argument or the result is not a number, if a
/// number does not fit into an integer, and with .ftz, if an argument or the result is subnormal.
struct FoldRounded : llvm::PassInfoMixin<FoldRounded> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain
