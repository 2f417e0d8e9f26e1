//===- KeepWindows.h - What later steps read again --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for %k { if (guard(%k)) { a = x[%k - 1]; b = x[%k]; c = x[%k + 1]; f(a, b, c) } }
//     =>  for %k carrying (%b, %c, %ran) from (poison, poison, false) {
//           if (guard(%k)) {
//             a, b = %ran ? %b, %c : x[%k - 1], x[%k];  c = x[%k + 1];  f(a, b, c)
//             carry (b, c, true)
//           } else { carry (poison, poison, false) } }
//
// The loop is one of a launched block over blocks of the program (`stepsAttribute` of
// CoarsenBlocks.h). What it reads in a step and read before, one or several steps ago, comes from a
// register; so a sliding window of a grid lies in registers. Addresses are compared as polynomials
// (SameAddress.h). If the step that would have read an element did not run the code, it is loaded:
// each load that runs is one of the program's, so nothing has to be proved about guards or ends of
// arrays. Of the blocks of code in the loop, the one is changed that saves most loads: the one for
// the inside, where copies were versioned. Inner loops of known length are unrolled before.
//
// A step can load what the next one adds to the window, before its own arithmetic, so that more
// loads are on their way at a time. It computes whether the next step makes the load, from the
// counter and from values that the loop does not change; conditions on memory forbid that.
//
// Legality. A load moves to the time when another block of the program loads from the same address.
// Blocks run in any order and at the same time, so what other blocks write does not matter, and
// neither does what the loads are interleaved with. But a block sees its own writes: a load does
// not move if something in the same step, before the load, may write there: the thread itself, or,
// if there is a barrier before the load, another one. A loop is refused if an operation in it
// orders accesses in any other way (Intervals.h). Only global memory is the same for all blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <optional>

namespace regrain {

/// Keeps what later steps read again in registers, in all loops of `kernel` over steps. If there is
/// nothing to keep in any, this is refused, and nothing has changed. With
/// `loadsAhead`, a step also loads what the next step adds to the window. `patterns` are those of
/// the clean-up.
[[nodiscard]] std::optional<Refusal> keepWindows(grain::KernelOp kernel, bool loadsAhead,
                                                 const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
