//===- Intervals.h - What threads do between barriers -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers cut what a thread does into intervals. Two accesses to the same memory
// by different threads of a block, one of which writes, race unless a barrier
// lies between them. So another thread can touch what an access touches only in
// another interval, and a barrier orders nothing but what may run right in front
// of it, up to the barrier before, and right behind it, up to the next.
//
// Paths go through the regions of structured operations as they say, into loops
// and around them; an operation without a barrier inside counts as a whole. A
// barrier that does not name all three loops of the nest ends no interval.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// What may run in one interval.
struct Interval {
  llvm::SmallVector<Access> accesses;
  /// Holds an operation whose order against other threads may matter beyond the
  /// accesses above: atomic, volatile, a fence, a call, of a warp, a clock.
  bool isOpaque = false;
};

/// True: `op` itself, not its regions, makes an interval opaque.
[[nodiscard]] bool isOpaque(mlir::Operation *op, const std::optional<Access> &access);

/// What stands in `op`, itself included, barriers aside.
[[nodiscard]] Interval accessesIn(mlir::Operation *op, Accesses &accesses);

/// What may run in the thread between the latest barrier and `op`.
[[nodiscard]] Interval intervalBefore(mlir::Operation *op, Accesses &accesses);

/// What may run in the thread between `op` and the next barrier.
[[nodiscard]] Interval intervalAfter(mlir::Operation *op, Accesses &accesses);

/// True: `op` is a barrier for all threads of the block.
[[nodiscard]] bool endsInterval(mlir::Operation *op);

} // namespace regrain
