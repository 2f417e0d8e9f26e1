//===- LaneShuffles.h - Shuffles of joined lanes ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of JoinLanes.h for shuffles, as PTX defines them ("shfl.sync").
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace regrain {

/// A shuffle of a number.
struct LaneShuffle {
  mlir::NVVM::ShflKind kind;
  mlir::Value mask;
  mlir::Value value;
  mlir::Value where; ///< the lane, the distance, or the bits to flip
  mlir::Value clamp;
  bool adds = false; ///< a lane that gets a value of another one adds its own to it

  /// Returns what `op` shuffles, or nothing if it is no shuffle, or one that is not understood.
  static std::optional<LaneShuffle> of(mlir::Operation *op);
};

/// The launched lanes that run a shuffle.
struct LaunchedLanes {
  uint32_t factor;   ///< lanes of the program in each
  mlir::Value place; ///< among those that have one warp of the program
  mlir::Value mask;  ///< those that take part

  uint32_t perWarp() const;
};

/// Creates the results of the copies of a shuffle, whose own operands are those of the first copy:
/// `where` and `clamp` are the same for all lanes of a warp.
[[nodiscard]] llvm::SmallVector<mlir::Value>
createUniformShuffles(mlir::OpBuilder &builder, mlir::Location location, const LaunchedLanes &lanes,
                      const LaneShuffle &shuffle, mlir::ValueRange values);

/// The same for a shuffle whose lanes have a `where` of their own, one for each copy.
[[nodiscard]] llvm::SmallVector<mlir::Value>
createFreeShuffles(mlir::OpBuilder &builder, mlir::Location location, const LaunchedLanes &lanes,
                   const LaneShuffle &shuffle, mlir::ValueRange values, mlir::ValueRange wheres,
                   mlir::ValueRange clamps);

} // namespace regrain
