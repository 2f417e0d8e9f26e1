//===- JointDivisions.h - Quotients and roots behind one check --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   x = a / d              r = 1 / d in three instructions
//   y = b / d              x, y, l by products and fused products alone
//   l = sqrt(x*x + y*y)    if (an operand was too small, too large or not finite)
//                            x, y, l by divisions and a root
//
// ptxas makes six instructions, a check, a branch and a place of convergence of each exact quotient
// of floats, a call behind the branch, and as much of each root. Nothing is moved across a branch,
// so each of them waits for the one before it. Quotients by one divisor do not share its
// reciprocal.
//
// What is computed behind the check is the same, bit for bit: docs/decisions/0145 says why.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Computes exact quotients and roots of floats in a row without branches, and again by divisions
/// and roots if one check of all their operands fails. Run this behind GuardedDivisions.
struct JointDivisions : llvm::PassInfoMixin<JointDivisions> {
  /// Returns whether the chip ("sm_90" has 90) divides by the instructions that are shared here.
  /// That is not known of chips before sm_75.
  static bool areOf(unsigned capability) { return capability >= 75; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
