//===- StrideLoop.h - Loops over what is s apart ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/DealIterations/ElementLoop.h"

namespace regrain {

/// A number as one of 64 bits: the extension of a sum.
struct WideNumber {
  mlir::Type type; ///< of the sum
  bool isUnsigned = false;
  WrappingSum sum;

  /// Creates the number. `size` stands for the width of the block, if given.
  [[nodiscard]] mlir::Value create(mlir::OpBuilder &builder, mlir::Location location,
                                   const WrappingSums &sums, mlir::Value size = {}) const;
};

/// A loop over a + x, a + x + s, ... below an end. All three numbers are the same for threads that
/// differ only in x.
struct StrideLoop {
  mlir::Operation *loop = nullptr; ///< scf.for or scf.while
  mlir::Value counter;             ///< in the body
  mlir::Value end;
  bool isUnsigned = false; ///< how the counter is compared with the end
  WideNumber first, step;  ///< a, s

  /// Returns the greatest number that is looked at, of the counter and of numbers of a type. As
  /// signed and as unsigned ones, they are the same.
  [[nodiscard]] uint64_t most() const { return mostOf(counter.getType()); }
  [[nodiscard]] static uint64_t mostOf(mlir::Type type);
};

/// Returns the form of a loop; nothing if it has no such form.
[[nodiscard]] std::optional<StrideLoop> findStrideLoop(mlir::Operation *loop, DealingFacts &facts);

/// A loop of 64 bits, run for launches in which no number wraps.
struct RaisedLoop {
  mlir::scf::IfOp guard; ///< its else runs the loop as it was
  mlir::scf::ForOp loop;
  mlir::Value size; ///< the width of the block
};

/// Puts a loop of 64 bits in front of `found`, and `found` in the else, for blocks whose width is
/// no multiple of `width` and numbers that may wrap.
[[nodiscard]] RaisedLoop raiseLoop(const StrideLoop &found, uint32_t width,
                                   const WrappingSums &sums);

/// Undoes this.
void lowerLoop(const StrideLoop &found, const RaisedLoop &raised);

} // namespace regrain
