//===- ExitSense.h - Which way a comparison leans ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop goes on while its condition holds. What the condition is made of by "and",
// "or", "not", choices between constants, and copies, leans one way: where it holds it
// can only keep the loop going, or only help to end it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/LoopSlice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace regrain {

/// Valid until the kernel changes.
class ExitSense {
public:
  /// Of the condition of the scf.while that `end` is the slice of.
  explicit ExitSense(LoopSlice &end);

  /// The predicate of `compare`, or its opposite, that holds where the comparison keeps the
  /// loop going; nothing where it may lean either way.
  [[nodiscard]] std::optional<mlir::arith::CmpIPredicate>
  staysWhile(mlir::arith::CmpIOp compare) const;

private:
  void add(mlir::Value value, bool stays);
  void visit(mlir::Value value, bool stays);
  void visitOperation(mlir::OpResult result, bool stays);
  void visitArgument(mlir::BlockArgument argument, bool stays);
  void visitChoice(mlir::Value condition, mlir::Value whereTrue, mlir::Value whereFalse,
                   bool stays);
  void visitTest(mlir::arith::CmpIOp compare, bool stays);
  void addUnknown(mlir::Operation *op);

  LoopSlice &end;
  llvm::SmallVector<std::pair<mlir::Value, bool>> pending;
  llvm::DenseSet<mlir::Value> keepsGoing, ends; ///< where they hold, or are not zero
};

} // namespace regrain
