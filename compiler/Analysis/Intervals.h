//===- Intervals.h - What threads do in a barrier phase ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers divide what a thread does into barrier phases. Two accesses to the same memory by
// different threads of a block, one of which writes, race unless a barrier lies between them. So
// another thread can touch what an access touches only in another phase. Therefore a barrier orders
// only the phase that ends at it and the phase that starts at it.
//
// Paths lead through the regions of structured operations, into loops and around them; an operation
// that contains no barrier counts as a whole. A barrier that does not name all three loops of the
// nest ends no phase.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// The accesses that may run in one barrier phase.
struct Interval {
  llvm::SmallVector<Access> accesses;
  /// The phase contains an operation whose order relative to other threads may matter beyond the
  /// accesses above: an atomic or volatile access, a fence, a call, a warp operation or a read of a
  /// clock.
  bool isOpaque = false;
  /// One of these does not stay in the block (staysInBlock).
  bool isUnknown = false;
};

/// Returns true if `op` itself, not its regions, makes a barrier phase opaque.
[[nodiscard]] bool isOpaque(mlir::Operation *op, const std::optional<Access> &access);

/// Returns true if what makes `op` opaque is between threads of the block: lanes hand each other
/// values or wait for each other, or shared memory is accessed. By itself, it shows nothing that
/// another block has done.
[[nodiscard]] bool staysInBlock(mlir::Operation *op, const std::optional<Access> &access);

/// Returns the accesses of `op` and of everything in it; barriers end nothing here.
[[nodiscard]] Interval accessesIn(mlir::Operation *op, Accesses &accesses);

/// Returns what may run in the thread between the latest barrier and `op`.
[[nodiscard]] Interval intervalBefore(mlir::Operation *op, Accesses &accesses);

/// Returns what may run in the thread between `op` and the next barrier.
[[nodiscard]] Interval intervalAfter(mlir::Operation *op, Accesses &accesses);

/// Returns true if `op` is a barrier for all threads of the block.
[[nodiscard]] bool endsInterval(mlir::Operation *op);

} // namespace regrain
