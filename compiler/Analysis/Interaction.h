//===- Interaction.h - What threads do with each other ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that says of a single operation how the thread that runs it meets
// others: which threads must run it together, whether it tells them apart, whether
// it sees what others do, whether it shows them what the thread has done. What is
// not known does all of that. Barriers of the block are `grain.barrier` (see
// Barriers.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Callee.h"

namespace regrain {

struct Interaction {
  /// Shuffles, votes, matrix operations and their like work on the lanes of one
  /// warp; so do volatile accesses, by which code older than __syncwarp exchanges
  /// values between lanes.
  Convergence convergence = Convergence::None;
  /// Two threads that run the operation on the same values may go on with other
  /// values: each ticket is drawn once, each lane has its own number.
  bool tellsApart = false;
  /// Its result, or what it writes, may follow from what another thread does while
  /// this one runs, with no barrier between.
  bool seesOthers = false;
  /// Other threads may be meant to see what this one has written before, or writes
  /// here, with no barrier between.
  bool publishes = false;
  /// It may hold between the threads of one block alone: of block scope.
  bool isOfBlock = false;

  [[nodiscard]] bool isAny() const {
    return convergence != Convergence::None || tellsApart || seesOthers || publishes;
  }
};

/// Of `op` itself, not of what its regions hold.
[[nodiscard]] Interaction interactionOf(mlir::Operation *op);

/// The first operation in `root` whose convergence is at least `least`, or null.
[[nodiscard]] mlir::Operation *findConvergent(mlir::Operation *root, Convergence least);

} // namespace regrain
