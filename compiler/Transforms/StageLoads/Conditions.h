//===- Conditions.h - Conditions for any thread -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"
#include "compiler/Analysis/Uniformity.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include <array>

namespace regrain {

/// Computes values of a thread at the start of its body, for any thread of the block.
class Recomputation {
public:
  /// Values may also follow from `counter`, that of a loop, if it is given.
  explicit Recomputation(grain::ThreadsOp threads, mlir::Value counter = {})
      : threads(threads), counter(counter) {}

  /// Returns whether `value` follows from coordinates and from what is known before the threads, by
  /// few integer operations without effects.
  [[nodiscard]] bool isPossible(mlir::Value value);

  /// Creates `value` for the thread whose coordinates are in `mapping`, which gets what was
  /// created. It is poison where the program's may be.
  static mlir::Value create(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &mapping);

private:
  std::optional<unsigned> costOf(mlir::Value value);

  grain::ThreadsOp threads;
  mlir::Value counter;
  llvm::DenseMap<mlir::Value, std::optional<unsigned>> costs; ///< nothing: it is not possible
};

/// Returns whether `op` may end its thread.
[[nodiscard]] bool mayEndThread(mlir::Operation *op);

/// A condition around an operation, and the value with which the operation runs.
struct GuardCondition {
  mlir::Value value;
  bool holds;
  friend bool operator==(const GuardCondition &, const GuardCondition &) = default;
};

/// The conditions around an operation, outermost first.
using LoadGuard = llvm::SmallVector<GuardCondition, 4>;

/// Returns the guard of `op` in the body of `threads`, or nothing if anything but conditions
/// decides whether and how often it runs.
[[nodiscard]] std::optional<LoadGuard> guardOf(mlir::Operation *op, grain::ThreadsOp threads);

/// Creates what tells whether `guard` lets the thread of `mapping` pass.
[[nodiscard]] mlir::Value createGuard(mlir::OpBuilder &builder, mlir::Location location,
                                      const LoadGuard &guard, mlir::IRMapping &mapping);

/// Returns whether a value is the same for all threads of a block.
[[nodiscard]] bool isCommon(mlir::Value value, const Uniformity &uniformity);

/// Appends the conditions of which `condition` is the conjunction, in the order in which the
/// program computes them.
void addConjuncts(const GuardCondition &condition,
                  llvm::SmallVectorImpl<GuardCondition> &conjuncts);

/// A comparison that holds for all threads of a block if it holds for one of them.
struct Extreme {
  GuardCondition comparison;
  std::array<bool, 3> last; ///< per dimension: the coordinate of that thread is the last
};

/// Appends the comparisons of which `condition` is the conjunction. Returns false if it is not a
/// conjunction of comparisons that are linear in the coordinates, or the same for all threads.
[[nodiscard]] bool addExtremes(const GuardCondition &condition, grain::ThreadsOp threads,
                               AffineForms &forms, const Uniformity &uniformity,
                               llvm::SmallVectorImpl<Extreme> &extremes);

/// Creates what tells whether the comparisons hold for all threads of a block of `block` threads,
/// each computed where those before it hold. `known` maps values that have been created.
[[nodiscard]] mlir::Value createWholeBlock(mlir::OpBuilder &builder, grain::ThreadsOp threads,
                                           llvm::ArrayRef<Extreme> extremes,
                                           llvm::ArrayRef<int64_t> block,
                                           const mlir::IRMapping &known = {});

} // namespace regrain
