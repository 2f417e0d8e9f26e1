//===- Neighbours.h - What neighbouring threads compute alike ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contiguous distribution joins the threads F * t, F * t + 1, ..., F * t + F - 1 of a block,
// where F is a power of two. Many of their values are the same, or are such neighbours again:
//
//   M + j          with M a multiple of F that all of them have in common, for the j-th of them
//   (M + j) / d    is M / d, and
//   (M + j) % d    is M % d + j, if d is a multiple of F as well
//   M + j < d      is M < d
//
// M + j carries nothing, so it does not wrap, neither as a signed nor as an unsigned number, and it
// is poison for all j or for none. A signed division rounds towards zero, so the dividend must not
// be negative: -4 / 4 is not -3 / 4. The sign of the divisor does not matter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// How a value of neighbouring threads differs among them.
struct NeighbourForm {
  enum Kind : uint8_t {
    Open,        ///< nothing is known yet
    Equal,       ///< one value for all
    Consecutive, ///< M + j
    Unknown,
  };
  Kind kind = Unknown;
  unsigned zeros = 0; ///< of an equal integer: how many low bits are zero for certain

  bool operator==(const NeighbourForm &other) const {
    return kind == other.kind && zeros == other.zeros;
  }
};

/// Computes what `factor` neighbours in one dimension of a nest have in common, a power of two. In
/// loops that they leave at different times, the statements are about the iterations that all of
/// them run. The object is valid until the nest changes.
class Neighbours {
public:
  Neighbours(grain::ThreadsOp threads, unsigned dimension, unsigned factor,
             const Uniformity &uniformity);

  [[nodiscard]] bool areEqual(mlir::Value value) const {
    return of(value).kind == NeighbourForm::Equal;
  }
  [[nodiscard]] bool areConsecutive(mlir::Value value) const {
    return of(value).kind == NeighbourForm::Consecutive;
  }

  /// Returns whether neighbours run the same regions of `op`, and equally often.
  [[nodiscard]] bool haveOneControl(mlir::Operation *op) const;

  /// Returns whether the operation of the first of them serves all: it has no regions and computes
  /// an equal or a consecutive number from others.
  [[nodiscard]] bool isOfFirst(mlir::Operation *op) const;

  /// Returns signed divisions and remainders that would have a form if their dividend were known
  /// not to be negative.
  [[nodiscard]] llvm::SmallVector<mlir::Operation *> findUnsigned() const;

private:
  NeighbourForm of(mlir::Value value) const;
  NeighbourForm ofOperation(mlir::Operation *op) const;
  NeighbourForm ofNeighbours(mlir::Operation *op) const;
  NeighbourForm ofComparison(mlir::arith::CmpIOp op) const;
  NeighbourForm ofCounter(mlir::scf::ForOp loop) const;
  unsigned zeroBitsOf(mlir::Operation *op) const;
  bool isMultiple(mlir::Value value) const;
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void join(mlir::Value value, NeighbourForm form);

  grain::ThreadsOp threads;
  unsigned dimension;
  unsigned bits; ///< of the factor
  Dependence varying;
  const Uniformity &uniformity;
  bool dividesBlock; ///< a launched block has the program's size divided by the factor
  llvm::DenseMap<mlir::Value, NeighbourForm> known;
  bool changed = false;
};

} // namespace regrain
