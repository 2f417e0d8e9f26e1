//===- ThreadSummary.h - What a kernel's threads are to each other -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one answer to who is told apart from whom, who may wait for whom, and what
// threads must do together. Analyses and transforms ask it instead of looking for
// operations themselves. What is not known (Interaction.h) is told apart, waits and
// synchronises.
//
// - Threads that differ only in a coordinate that nothing in the kernel reads run the
//   same code on the same values, unless an operation tells them apart: an atomic
//   operation whose result is used as much as a lane's number.
// - A loop may wait for a thread of the same block or of another one (Waiting.h).
//   What a grain runs one after the other must not wait for what comes later.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Callee.h"

namespace regrain {

/// Valid until the kernel changes.
class ThreadSummary {
public:
  explicit ThreadSummary(grain::KernelOp kernel);

  /// An operation that tells threads apart that differ in no coordinate that the
  /// kernel reads; null where they all do the same.
  [[nodiscard]] mlir::Operation *findTellingApart() const { return tellsApart; }

  /// The first operation that the lanes of a warp run together; null where each
  /// thread runs for itself.
  [[nodiscard]] mlir::Operation *findWarpOperation() const { return ofWarp; }

  /// The first operation that may synchronise threads in a way that only the original
  /// grain keeps, or null.
  [[nodiscard]] mlir::Operation *findUnknownSynchronisation() const { return unknown; }

  /// The first operation that may hold between the threads of one block alone, such
  /// as an atomic operation of block scope, or null.
  [[nodiscard]] mlir::Operation *findBlockOperation() const { return ofBlock; }

  /// A loop that may wait for another thread, or null.
  [[nodiscard]] mlir::Operation *findWait();

private:
  grain::KernelOp kernel;
  mlir::Operation *tellsApart = nullptr;
  mlir::Operation *ofWarp = nullptr; ///< or of more threads than a warp
  mlir::Operation *ofBlock = nullptr;
  mlir::Operation *unknown = nullptr;
  std::optional<mlir::Operation *> wait; ///< looked for when first asked
};

} // namespace regrain
