//===- LaneCode.h - Code that depends on the lane ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/ExchangeInWarp/LaneSource.h"
#include "mlir/IR/Builders.h"

namespace regrain {

/// Creates code for the lanes of the warps of a block whose size is known.
class LaneCode {
public:
  /// Creates the number of the lane at the start of `threads`.
  explicit LaneCode(grain::ThreadsOp threads);

  /// Creates a condition that holds in the lanes of `yes` and does not in those of `no`.
  [[nodiscard]] mlir::Value createTest(mlir::OpBuilder &builder, mlir::Location location,
                                       LaneSet yes, LaneSet no);

  /// Creates what `value`, an integer, is in the lanes of `source`. All lanes run this.
  [[nodiscard]] mlir::Value createShuffle(mlir::OpBuilder &builder, mlir::Location location,
                                          mlir::Value value, const LaneSource &source);

private:
  mlir::Value createOperand(mlir::OpBuilder &builder, mlir::Location location,
                            const LaneSource &source);

  mlir::Value lane;
};

} // namespace regrain
