//===- CountedLoops.h - Loops that ptxas can unroll -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas unrolls a loop if it sees how often it runs: a branch back to its beginning, taken if a
// counter of its own differs from a limit. LLVM's loops often do the same in another form: they
// branch out of the loop, or compare the low half of a 64-bit offset with the limit.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class FunctionPass;
}

namespace regrain::nvptx {

/// Returns a pass over LLVM IR for directly before the instructions are selected. A comparison that
/// decides whether a loop runs again is negated where the loop is left if it is true. In a loop of
/// one block that may be unrolled, the low half of a 64-bit induction variable that is compared
/// becomes a 32-bit one. No value changes.
llvm::FunctionPass *createShowCounters();

} // namespace regrain::nvptx
