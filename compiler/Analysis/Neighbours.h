//===- Neighbours.h - What neighbouring threads compute alike ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contiguous distribution joins the threads F * t, F * t + 1, ..., F * t + F - 1 of a block, a
// strided one t, t + S, ..., t + (F - 1) * S, where S is the size of the block divided by F. Many
// of their values are the same, or are such numbers again:
//
//   M + r          with a multiple M of 2^n that all of them have in common, and r below 2^n, which
//                  is r0 + j * S for the j-th of them
//   (M + r) / d    is M / d, and
//   (M + r) % d    is M % d + r, if d is a multiple of 2^n as well
//   M + r < d      is M < d
//
// M + r carries nothing, so it does not wrap, neither as a signed nor as an unsigned number, and it
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
    Open,  ///< nothing is known yet
    Equal, ///< one value for all
    Near,  ///< M + r
    Unknown,
  };
  Kind kind = Unknown;
  unsigned bits = 0;   ///< n, or of an equal integer how many low bits are zero for certain
  unsigned stride = 0; ///< from one to the next, of near ones

  bool operator==(const NeighbourForm &) const = default;
};

/// The threads that are joined: powers of two in one dimension.
struct JoinedThreads {
  unsigned dimension;
  unsigned factor; ///< how many
  unsigned stride; ///< from one to the next
  unsigned span;   ///< the numbers of all are within a multiple of this
};

/// Computes what joined threads of a nest have in common. In loops that they leave at different
/// times, the statements are about the iterations that all of them run. The object is valid until
/// the nest changes.
class Neighbours {
public:
  Neighbours(grain::ThreadsOp threads, const JoinedThreads &joined, const Uniformity &uniformity);

  [[nodiscard]] bool areEqual(mlir::Value value) const {
    return of(value).kind == NeighbourForm::Equal;
  }
  /// Returns how far the values of a thread and the next are apart, if they are near; otherwise 0.
  [[nodiscard]] unsigned strideOf(mlir::Value value) const {
    NeighbourForm form = of(value);
    return form.kind == NeighbourForm::Near ? form.stride : 0;
  }

  /// Returns whether neighbours run the same regions of `op`, and equally often.
  [[nodiscard]] bool haveOneControl(mlir::Operation *op) const;

  /// Returns whether the operation of the first of them serves all: it has no regions and computes
  /// an equal or a near number from others.
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
  NeighbourForm ofParts(const NeighbourForm &near, const llvm::APInt &size, bool isQuotient) const;
  bool isMultiple(mlir::Value value, unsigned bits) const;
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void join(mlir::Value value, NeighbourForm form);

  grain::ThreadsOp threads;
  JoinedThreads joined;
  Dependence varying;
  const Uniformity &uniformity;
  bool dividesBlock; ///< a launched block has the program's size divided by the factor
  llvm::DenseMap<mlir::Value, NeighbourForm> known;
  bool changed = false;
};

} // namespace regrain
