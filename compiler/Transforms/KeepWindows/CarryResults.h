//===- CarryResults.h - What is computed of a window early ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a stencil begins with sums of what steps before have loaded:
//
//   for %k carrying (%a, %b, %ran) { a, b = %ran ? %a, %b : x[%k - 1], x[%k];  c = x[%k + 1]
//                                    s = a + b;  f(s + c);  carry (b, c, true) }
//     =>  for %k carrying (%s, %b, %ran) { s, b = %ran ? %s, %b : x[%k - 1] + x[%k], x[%k]
//                                          c = x[%k + 1];  f(s + c);  carry (b + c, c, true) }
//
// The step that has the last of the operands computes the sum, and carries it in place of them.
// This is done as long as less is carried then: the window of a box of 27 elements has 18 values,
// of which 2 sums are left.
//
// Legality. The operations compute the same from the same values, so the program's order of sums
// is kept. They have no effects and may run although their result is not needed, as it is not
// behind the last step. If the step before did not run the code, they run where the loads do that
// take the place of the window.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Gives the condition around a region further results: `values` of that region, and `others` if
/// it does not run.
mlir::scf::IfOp addResults(mlir::RewriterBase &rewriter, mlir::Region *from,
                           mlir::ValueRange values, mlir::ValueRange others);

/// Carries results in place of their operands in `loop`, which carries a window of one step, and at
/// position `ran` of what it carries whether the code of the window ran. On success `loop` is the
/// new loop, which may be the old one.
[[nodiscard]] mlir::LogicalResult carryResults(mlir::scf::ForOp &loop, unsigned ran);

} // namespace regrain
