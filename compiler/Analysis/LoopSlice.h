//===- LoopSlice.h - What a value in a loop is computed from ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice follows a value backwards through operands, carried values, control, and memory that the
// loop itself may write. What is computed outside of the loop is left out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "llvm/ADT/SetVector.h"

namespace regrain {

/// The slice of a value in a loop. It is valid until the kernel changes.
class LoopSlice {
public:
  /// Computes the slice of `root` in `loop`.
  LoopSlice(mlir::Operation *loop, mlir::Value root, Accesses &accesses);

  [[nodiscard]] const llvm::SetVector<mlir::Value> &values() const { return slice; }

  /// Returns the operations of the loop that may write what a load in the slice reads, except
  /// stores and atomic operations of a known address.
  [[nodiscard]] const llvm::SetVector<mlir::Operation *> &writers() const { return unknownWriters; }

  /// Returns the values that the loop may have written where `load` reads.
  [[nodiscard]] llvm::SmallVector<mlir::Value> storedFor(mlir::LLVM::LoadOp load);

  [[nodiscard]] mlir::Operation *getLoop() const { return loop; }

  /// Returns true if `value` is the same in all iterations of the loop.
  [[nodiscard]] bool isInvariant(mlir::Value value);

  [[nodiscard]] bool isWithin(mlir::Value value) const;

private:
  /// Returns the operations of the loop that may write where `load` reads.
  llvm::ArrayRef<mlir::Operation *> writersFor(mlir::LLVM::LoadOp load);
  void add(mlir::Value value);
  void addAllOf(mlir::Operation *op);
  void addControlOf(mlir::Operation *op);
  void addResult(mlir::Operation *op, unsigned index);
  void addArgument(mlir::BlockArgument argument);
  void addStored(mlir::LLVM::LoadOp load);
  void addWriter(mlir::Operation *writer);
  void addAllWriters();
  void follow(mlir::Value value);

  mlir::Operation *loop;
  Accesses &accesses;
  llvm::SetVector<mlir::Value> slice;
  llvm::SetVector<mlir::Operation *> unknownWriters;
  bool hasAllWriters = false;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> found; ///< by load
};

/// Returns the value that a store writes, or that an atomic operation writes or combines with
/// memory; null for any other operation.
[[nodiscard]] mlir::Value writtenBy(mlir::Operation *op);

} // namespace regrain
