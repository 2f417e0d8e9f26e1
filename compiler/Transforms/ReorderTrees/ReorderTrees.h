//===- ReorderTrees.h - Trees that begin among neighbours -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (s = 64; s > 0; s /= 2) {             for (s = 1; s <= 64; s *= 2) {
//     if (t < s)                                if (t % (2 * s) == 0)
//       a[t] = max(a[t], a[t + s]);      =>       a[t] = max(a[t], a[t + s]);
//     barrier;                                  barrier;
//   }                                         }
//   use(a[0]);                                use(a[0]);
//
// The program's tree combines distant elements first, so threads that are joined as neighbours take
// all their elements through all steps. In the new order they combine their own elements first, and
// exchange one element in each step.
//
// Legality.
// - The operation gives one result for all orders and pairs: integer sums, products and bits, and
//   the largest or smallest of numbers. Of zeros of both signs, and of several NaNs, CUDA leaves it
//   open which one a maximum is; NVIDIA GPUs decide alike for all orders. Sums of floating-point
//   numbers are reordered if the grain permits that.
// - All threads of the block run the steps, their distances are all powers of two down to 1, and
//   the block has a thread for each element.
// - Threads meet between the first step and all other accesses in front of it: in the new order it
//   reads and writes other elements.
// - Only the first element is read or written behind the steps, as by the thread that hands out a
//   result.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace regrain {

/// Reorders the trees of `kernel`, whose block is known, also those of floating-point sums if these
/// may be reordered; `patterns` are those of cleanUp. Returns how many there are; otherwise nothing
/// has changed.
unsigned reorderTrees(grain::KernelOp kernel, bool mayReorderSums,
                      const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
