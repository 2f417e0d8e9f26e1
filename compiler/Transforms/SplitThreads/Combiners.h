//===- Combiners.h - Operations in any order --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Builders.h"

namespace regrain {

/// Returns whether `op` combines integers so that the order makes no difference, modulo 2^n. A
/// difference does if it is taken from what comes before.
[[nodiscard]] bool isCombiner(mlir::Operation *op);

/// Returns whether `op` is the larger or the smaller one of two floating-point numbers. The order
/// makes a difference only if several numbers are equal, for the sign of a zero, or none.
[[nodiscard]] bool isFloatExtremum(mlir::Operation *op);
/// Returns whether it is the larger one.
[[nodiscard]] bool isFloatMaximum(mlir::Operation *op);

/// Returns whether `op` is a power of e or of 2, rounded in one way or another.
[[nodiscard]] bool isExponential(mlir::Operation *op);

/// Returns whether the results of both may be combined in one order or another.
[[nodiscard]] bool combineAlike(mlir::Operation *one, mlir::Operation *other);

/// Returns what changes nothing when `op` combines it; nothing if that is a value itself, which may
/// then be combined several times.
[[nodiscard]] std::optional<int64_t> neutralOf(mlir::Operation *op);

/// Forgets what `op` says of overflow.
void forgetOverflow(mlir::Operation *op);

/// Creates what `op` makes of two partial results.
[[nodiscard]] mlir::Value createCombined(mlir::OpBuilder &builder, mlir::Operation *op,
                                         mlir::Value one, mlir::Value other);

} // namespace regrain
