//===- Interaction.h - What threads do with each other ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the one place that says how a single operation makes the thread that runs it interact
// with others: which threads must run it together, whether it tells them apart, whether it sees
// what others do, and whether it publishes what the thread has done. An operation that is not known
// does all of that. Barriers of the block are `grain.barrier` (Barriers.h) and not covered here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Callee.h"

namespace regrain {

struct Interaction {
  /// Says which threads run the operation together. Shuffles, votes and matrix operations work on
  /// the lanes of one warp. So do volatile accesses, by which code older than __syncwarp exchanges
  /// values between lanes.
  Convergence convergence = Convergence::None;
  /// Two threads that run the operation on the same values may go on with different values, as with
  /// the result of an atomic operation or the number of a lane.
  bool tellsApart = false;
  /// Its result, or what it writes, may depend on what another thread does while this one runs,
  /// without a barrier in between.
  bool seesOthers = false;
  /// Other threads may be meant to see what this thread has written before, or writes here, without
  /// a barrier in between.
  bool publishes = false;
  /// The operation may be effective only between the threads of one block (block scope).
  bool isOfBlock = false;

  [[nodiscard]] bool isAny() const {
    return convergence != Convergence::None || tellsApart || seesOthers || publishes;
  }
};

/// Returns the interaction of `op` itself, not of what its regions contain.
[[nodiscard]] Interaction interactionOf(mlir::Operation *op);

/// Returns true if lanes of a warp hand each other values there, and nothing else happens: no
/// memory is touched that a program can name, and no access is ordered.
[[nodiscard]] bool onlyExchanges(mlir::Operation *op);

/// Returns the first operation in `root` whose convergence is at least `least`, or null.
[[nodiscard]] mlir::Operation *findConvergent(mlir::Operation *root, Convergence least);

} // namespace regrain
