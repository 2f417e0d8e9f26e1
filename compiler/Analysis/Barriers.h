//===- Barriers.h - Where threads of a block synchronise --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

[[nodiscard]] inline bool isBarrier(mlir::Operation *op) {
  return mlir::isa<grain::BarrierOp, grain::BarrierReduceOp>(op);
}

/// The barriers under an operation. Valid until the IR changes.
class Barriers {
public:
  explicit Barriers(mlir::Operation *root);

  /// Returns true if `op` is a barrier or contains one.
  [[nodiscard]] bool isIn(mlir::Operation *op) const { return holders.contains(op); }

private:
  llvm::DenseSet<mlir::Operation *> holders;
};

} // namespace regrain
