//===- DescendingLoops.h - Loops that count down ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas (CUDA 13.0) unrolls a loop whose counter decreases by a constant and which continues while
// the counter is less than a bound, as if it continued while the counter is greater:
//
//   add.s32 %r1, %r1, -4;
//   setp.lt.u32 %p1, %r1, -2;  // ends below zero
//   @%p1 bra $L;
//
// So the loop runs too often, or forever. LLVM writes such a loop for `for (; n > 0; n--)`. ptxas
// does not unroll the loop, and is right, where it ends if the opposite holds
// (docs/decisions/0208).
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Pass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions in SSA form. Where a loop continues while a counter
/// that decreases by a constant is less than, or at most, some value, its branch tests the
/// opposite.
llvm::Pass *createTestDescendingEnds();

} // namespace regrain::nvptx
