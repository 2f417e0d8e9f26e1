//===- GuardedRanges.h - Loops whose guard looks at the counter -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of a triangular matrix is a loop with a condition for its counter:
//
//   for (j = 0; j < n; ++j)              for (j = 0; j < min(n, t + 1); ++j) { A }
//     if (j <= t) { A } else { B }   =>  for (; j < n; ++j) { B }
//
// The parts have no branch, so their loads do not wait for each other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Returns the comparison of the counter at whose change `divideAtGuard` divides; null if there is
/// none.
[[nodiscard]] mlir::Operation *findDividingGuard(mlir::scf::ForOp loop);

/// Divides a loop of step 1 and a counter of 32 bits where the condition of a branch in it changes,
/// if the condition compares the counter with a value of outside. Returns the parts, in order, or
/// the loop itself. A loop that carries values stays as it is. The number at which it is divided is
/// formed in front of `first`, an earlier loop of the block, if what it is formed of is known
/// there.
llvm::SmallVector<mlir::scf::ForOp> divideAtGuard(mlir::scf::ForOp loop, mlir::scf::ForOp first);

} // namespace regrain
