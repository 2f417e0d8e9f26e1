//===- RaiseLoops.h - Counted loops out of lifted loops ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lift makes every loop a do-while whose body is an `scf.if`. Here such a
// loop becomes a while, and a while that counts becomes an `scf.for`:
//
//   scf.while {              scf.while {               scf.for %i = lb to ub {
//     %c = cmp                 %c = cmp
//     scf.if %c { body }  =>   scf.condition(%c)  =>     body
//     scf.condition(%c)      } do {
//   } do { yield }             body
//                            }                         }
//
// Every `scf.for` made here counts upwards without signed overflow, so its
// increment is `nsw` when it is lowered.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace regrain {

/// do-while to while. Kept: a body that is followed by other operations, and
/// exits that compute what may not be computed in every iteration.
void populateUnrotateWhile(mlir::RewritePatternSet &patterns);

/// while to for. A loop is kept where one of these cannot be shown:
///   - the condition compares one loop value with a value from outside;
///   - that value advances by a constant, or by the block size, and nothing else;
///   - counting does not wrap: the step is 1, or the addition is nsw;
///   - an unsigned comparison means the same as a signed one;
///   - the last value is not needed after the loop, or the step is 1.
void populateWhileToFor(mlir::RewritePatternSet &patterns);

/// Poison on one side of a select or an if: the other side's value.
void populateFoldPoison(mlir::RewritePatternSet &patterns);

/// Applies all of them and upstream clean-ups to `root`, which is isolated from
/// above, until nothing changes.
mlir::LogicalResult raiseLoops(mlir::Operation *root);

} // namespace regrain
