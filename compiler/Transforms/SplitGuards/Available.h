//===- Available.h - What threads outside a guard can compute ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Barriers.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

/// The values of a guarded region that threads outside the guard may compute as well: these are
/// free of effects and undefined behaviour, and their operands are available.
class Available {
public:
  Available(mlir::Region &guarded, const Barriers &barriers);

  [[nodiscard]] bool contains(mlir::Value value) const { return !guardedValues.contains(value); }

  /// Returns whether `op`, which has no regions, is to run for all threads.
  [[nodiscard]] bool isHoistable(mlir::Operation *op) const;

private:
  bool visit(mlir::Operation *op);
  bool guard(mlir::Value value) { return guardedValues.insert(value).second; }

  const Barriers &barriers;
  llvm::DenseSet<mlir::Value> guardedValues;
};

} // namespace regrain
