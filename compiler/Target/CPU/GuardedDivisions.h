//===- GuardedDivisions.h - Divisions under a condition ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for i                               q = a / (b != 0 ? b : 1)
//     if (c[i])            becomes      for i
//       x[a / b][i] = 0;                  if (c[i])
//                                           x[q][i] = 0;
//
// The loop vectoriser of LLVM 19 computes a division that only the first lane's address needs under
// the condition of the first lane, although other lanes use it where that condition does not hold
// (llvm/llvm-project pull request 98892, LLVM 20). This pass runs before the vectoriser and leaves
// no such division: divisions of loop invariants are computed before an innermost loop, with a
// divisor that cannot trap; the results of other divisions under a condition are frozen, so that no
// address is linear in them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::cpu {

struct GuardedDivisionsPass : llvm::PassInfoMixin<GuardedDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::cpu
