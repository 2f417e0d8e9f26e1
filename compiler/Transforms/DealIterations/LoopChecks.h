//===- LoopChecks.h - Whether threads may exchange iterations ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/DealIterations/ElementLoop.h"

namespace regrain {

struct Interval;

/// Returns whether threads of the nest are no longer those of the program.
[[nodiscard]] bool isRegrouped(grain::BlocksOp blocks);

[[nodiscard]] Refusal refuseDealing(mlir::Operation *op, const llvm::Twine &reason);

/// What a loop must be for threads that differ only in x to exchange its iterations. The loop
/// carries nothing. A derived class says what is known to follow from the element's number.
class LoopChecks {
public:
  virtual ~LoopChecks() = default;

protected:
  LoopChecks(mlir::scf::ForOp loop, DealingFacts &facts);

  /// Refuses loops in other loops, and under conditions that may differ.
  [[nodiscard]] std::optional<Refusal> checkSurroundings();
  /// Refuses operations whose effect does not follow from the element, and notes the accesses.
  [[nodiscard]] std::optional<Refusal> checkBody();
  /// Refuses iterations that touch common memory, and memory that is touched around the loop.
  [[nodiscard]] std::optional<Refusal> checkMemory();

  /// Adds a sum of the element's number to `known`. Returns false if `value` is none.
  virtual bool addElement(mlir::Value value) = 0;
  /// Returns whether sums in which the counter has this factor differ in the iterations of a
  /// thread, as numbers of `bits` bits.
  virtual bool differIn(const WrappingSum &perTrip, unsigned bits) const = 0;
  /// Returns whether an operation that concerns other threads may be run by another one.
  virtual bool permits(mlir::Operation *) const { return false; }
  /// Returns whether it does not matter which of two accesses to the same memory comes first.
  virtual bool commute(mlir::Operation *, mlir::Operation *) const { return false; }

  bool isIn(mlir::Value value) const {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  }

  mlir::scf::ForOp loop;
  DealingFacts &facts;
  mlir::Value counter;
  grain::ThreadsOp threads;
  unsigned x, trip;                  ///< symbols
  WrappingSum size;                  ///< threads in x
  llvm::DenseSet<mlir::Value> known; ///< values of the body that follow from the element
  llvm::SmallVector<Access> inside;

private:
  std::optional<Refusal> checkOperation(mlir::Operation *op);
  std::optional<Refusal> checkOutside(const Interval &outside);
  bool isKnown(mlir::Value value) const;
  bool isBefore(const WrappingSum &sum) const;
  bool areOneElementEach(const Access &one, const Access &other) const;
};

} // namespace regrain
