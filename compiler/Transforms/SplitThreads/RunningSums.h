//===- RunningSums.h - Sums under a running maximum -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of a softmax that needs one pass, because it is scaled whenever a larger number is found:
//
//   n = max(m, x)
//   s = s * exp(m - n) + exp(x - n)
//   m = n
//
// Parts of it are put together like the sum and a new term: with the larger one of both m as n,
// s = s * exp(m - n) + s' * exp(m' - n). Where m equals n, the factor is 1, also for -inf.
//
// A part is a number where the program's sum is one. If m begins with -inf, the program's first
// element must be greater, because -inf - -inf is no number. All others may be -inf as well. Only
// the first lane begins with that element, so the others subtract no less than the least finite
// number: their terms for -inf are 0, and a finite factor keeps their sum of 0.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/SplitThreads/DealtLoops.h"
#include "compiler/Transforms/SplitThreads/LaneGroup.h"

namespace regrain {

/// Finds the running sums among what `loop` carries, with their maxima.
void findRunningSums(mlir::scf::ForOp loop, CarriedValues &found);

/// Lets the sums that begin with -inf be numbers in lanes that do not begin with the loop's first
/// element.
void keepFinite(const DealtLoop &dealt, const LaneGroup &group);

/// A part of a running sum.
struct RunningPart {
  mlir::Value sum, largest;
};

/// Creates what two parts are together.
[[nodiscard]] RunningPart createTogether(mlir::OpBuilder &builder, const RunningSum &running,
                                         const RunningPart &one, const RunningPart &other);

} // namespace regrain
