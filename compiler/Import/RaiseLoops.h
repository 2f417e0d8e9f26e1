//===- RaiseLoops.h - Counted loops out of lifted loops ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lift turns every loop into a do-while whose body is an `scf.if`. Here such a loop becomes a
// while, and a while that counts becomes an `scf.for`:
//
//   scf.while {              scf.while {               scf.for %i = lb to ub {
//     %c = cmp                 %c = cmp
//     scf.if %c { body }  =>   scf.condition(%c)  =>     body
//     scf.condition(%c)      } do {
//   } do { yield }             body
//                            }                         }
//
// Every `scf.for` created here counts upwards without signed overflow, so its increment is `nsw`
// when it is lowered.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace regrain {

/// Adds the rewriting of do-while to while. A loop is kept if its body is followed by other
/// operations, or if its exit computes something that must not be computed in every iteration.
void populateUnrotateWhile(mlir::RewritePatternSet &patterns);

/// Adds the rewriting of while to for. A loop is kept unless all of these can be shown:
/// - The condition compares one loop value with a value from outside.
/// - That value advances by a constant, or by the block size, and nothing else.
/// - Counting does not wrap: the step is 1, or the addition is nsw.
/// - An unsigned comparison means the same as a signed one.
/// - The last value is not needed after the loop, or the step is 1.
void populateWhileToFor(mlir::RewritePatternSet &patterns);

/// Adds the rewriting of a select or an if with poison on one side to the other side's value.
void populateFoldPoison(mlir::RewritePatternSet &patterns);

/// Applies all of these and upstream clean-ups to `root`, which is isolated from above, until
/// nothing changes.
mlir::LogicalResult raiseLoops(mlir::Operation *root);

} // namespace regrain
