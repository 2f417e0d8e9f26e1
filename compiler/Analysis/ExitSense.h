//===- ExitSense.h - Which way a comparison leans ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop goes on while its condition holds. Each value that the condition is computed from by
// "and", "or", "not", selections between constants, and copies has one sense: where it holds, it
// can only keep the loop going, or it can only help to end it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/LoopSlice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace regrain {

/// Finds the sense of each comparison. The object is valid until the kernel changes.
class ExitSense {
public:
  /// Analyses the condition of the scf.while that `end` is the slice of.
  explicit ExitSense(LoopSlice &end);

  /// Returns the predicate of `compare`, or its inverse, that holds where the comparison keeps the
  /// loop going, or nothing if either result may keep it going.
  [[nodiscard]] std::optional<mlir::arith::CmpIPredicate>
  staysWhile(mlir::arith::CmpIOp compare) const;

  /// Returns the predicate of `compare`, or its inverse, without which the loop ends, whatever the
  /// other values are; nothing if it may go on either way.
  [[nodiscard]] std::optional<mlir::arith::CmpIPredicate>
  requiredBy(mlir::arith::CmpIOp compare) const;

private:
  void add(mlir::Value value, bool stays);
  void visit(mlir::Value value, bool stays);
  void visitOperation(mlir::OpResult result, bool stays);
  void visitArgument(mlir::BlockArgument argument, bool stays);
  void visitChoice(mlir::Value condition, mlir::Value whereTrue, mlir::Value whereFalse,
                   bool stays);
  void visitTest(mlir::arith::CmpIOp compare, bool stays);
  void addUnknown(mlir::Operation *op);
  void require(mlir::Value value, bool holds);
  void requireChoice(mlir::Value condition, mlir::Value whereTrue, mlir::Value whereFalse,
                     bool holds);

  LoopSlice &end;
  llvm::SmallVector<std::pair<mlir::Value, bool>> pending;
  llvm::DenseSet<mlir::Value> keepsGoing, ends; ///< values that keep the loop going, or end it,
                                                ///< where they hold or are not zero
  llvm::DenseMap<mlir::Value, bool> required;   ///< what values must be for the loop to go on
};

} // namespace regrain
