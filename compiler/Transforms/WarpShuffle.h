//===- WarpShuffle.h - Values of other lanes --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace regrain {

/// The operands of a shuffle beside the value that it moves.
struct Shuffle {
  mlir::NVVM::ShflKind kind;
  mlir::Value mask;  ///< the lanes that run it
  mlir::Value where; ///< the lane, the distance, or the bits to flip
  /// The last lane from which, or for `up` the first lane to which, a value may be read. Bits 8 to
  /// 12 are those of a lane's number that no shuffle changes.
  mlir::Value clamp;
};

/// Creates what `value`, an integer or a floating-point number, is in another lane. It is moved in
/// words of 32 bits.
[[nodiscard]] mlir::Value createShuffle(mlir::OpBuilder &builder, mlir::Location location,
                                        mlir::Value value, const Shuffle &shuffle);

} // namespace regrain
