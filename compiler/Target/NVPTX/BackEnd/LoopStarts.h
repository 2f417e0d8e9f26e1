//===- LoopStarts.h - The constants that counters begin at ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal constants of a function are one register, which stands in a block that dominates all uses.
// The counter of one of the loops that begin at the constant then counts in that register. ptxas
// does not find the constant in front of that loop, so it does not know how often the loop runs,
// and does not unroll it.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Pass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions in SSA form that gives a counter that is compared with
/// a constant its initial constant in the block in front of its loop.
llvm::Pass *createStartCountersNearby();

} // namespace regrain::nvptx
