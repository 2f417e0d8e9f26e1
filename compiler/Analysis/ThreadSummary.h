//===- ThreadSummary.h - What a kernel's threads are to each other -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the one answer to which threads are told apart, which may wait for which, and what
// threads must do together. Analyses and transforms ask it instead of looking for operations
// themselves. An operation that is not known (Interaction.h) tells threads apart, waits and
// synchronises.
//
// - Threads that differ only in a coordinate that nothing in the kernel reads run the same code on
//   the same values, unless an operation tells them apart: an atomic operation whose result is
//   used, or a read of the lane's number.
// - A loop may wait for a thread of the same block or of another one (Waiting.h). What a grain runs
//   sequentially must not wait for what comes later.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Callee.h"

namespace regrain {

/// The summary is valid until the kernel changes.
class ThreadSummary {
public:
  explicit ThreadSummary(grain::KernelOp kernel);

  /// Returns an operation that tells apart threads that differ in no coordinate that the kernel
  /// reads; null if all such threads do the same.
  [[nodiscard]] mlir::Operation *findTellingApart() const { return tellsApart; }

  /// Returns the first operation that the lanes of a warp run together; null if each thread runs by
  /// itself.
  [[nodiscard]] mlir::Operation *findWarpOperation() const { return ofWarp; }

  /// Returns the first operation that may synchronise threads in a way that only the original grain
  /// keeps, or null.
  [[nodiscard]] mlir::Operation *findUnknownSynchronisation() const { return unknown; }

  /// Returns the first operation that may be effective only between the threads of one block, such
  /// as an atomic operation of block scope, or null.
  [[nodiscard]] mlir::Operation *findBlockOperation() const { return ofBlock; }

  /// Returns a loop that may wait for another thread, or null.
  [[nodiscard]] mlir::Operation *findWait();

  /// Returns a loop that may wait for another kernel or the host, or null.
  [[nodiscard]] mlir::Operation *findWaitForOutside();

private:
  grain::KernelOp kernel;
  mlir::Operation *tellsApart = nullptr;
  mlir::Operation *ofWarp = nullptr; ///< may also be an operation of more threads than a warp
  mlir::Operation *ofBlock = nullptr;
  mlir::Operation *unknown = nullptr;
  std::optional<mlir::Operation *> wait; ///< computed on first use
};

} // namespace regrain
