//===- PassingThreads.h - The threads that pass a guard ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block that pass a guard, if they are a box: the guard is a conjunction of
// conditions that are the same for all threads, and of comparisons that are linear in one
// coordinate. The ends of the box are computed when the code runs, by any thread.
//
// Legality. A comparison is the sign of the difference of its sides, which equals an affine form of
// one coordinate wherever the program computes it (Affine.h). The form is computed here in 64 bits,
// from numbers of at most 32 bits and small factors, so it never wraps. Where no thread computes a
// comparison, because one in front of it fails, its numbers may be poison; they are frozen, since
// the box is empty then, whatever they are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/Conditions.h"

namespace regrain {

/// The number `sign * difference + offset`, at which the coordinates that pass end.
struct CoordinateEnd {
  unsigned dimension;
  bool isUpper;
  int64_t sign, offset;
  Affine difference;                                  ///< for the coordinate 0
  llvm::SmallVector<Affine::Summand, 2> unsignedPart; ///< numbers without sign, beside it
};

/// A guard, taken apart.
struct PassingThreads {
  llvm::SmallVector<GuardCondition> common; ///< conditions that are the same for all threads
  llvm::SmallVector<CoordinateEnd> ends;
};

/// The threads that pass, as values.
struct ThreadBox {
  mlir::Value exists;                ///< all common conditions hold; null if there are none
  std::array<mlir::Value, 3> lo, hi; ///< 32 bits, within the block; null where the block ends
};

/// Takes guards of a kernel apart. Values may follow from `counter`.
class GuardSolver {
public:
  GuardSolver(grain::ThreadsOp threads, mlir::Value counter, AffineForms &forms,
              const Uniformity &uniformity)
      : threads(threads), forms(forms), uniformity(uniformity), recomputation(threads, counter) {}

  /// Returns nothing if the threads that pass are not known to be a box.
  [[nodiscard]] std::optional<PassingThreads> solve(const LoadGuard &guard);

private:
  bool add(const GuardCondition &condition, PassingThreads &passing);
  bool addComparison(const GuardCondition &condition, PassingThreads &passing);
  bool addSide(mlir::Value side, int64_t times, bool isUnsigned, CoordinateEnd &end);
  bool isComputable(const Affine::Summand &summand);

  grain::ThreadsOp threads;
  AffineForms &forms;
  const Uniformity &uniformity;
  Recomputation recomputation;
};

/// Creates the box of the threads that pass, in a block of `block` threads. `known` maps the
/// counter.
[[nodiscard]] ThreadBox createBox(mlir::OpBuilder &builder, const PassingThreads &passing,
                                  grain::ThreadsOp threads, llvm::ArrayRef<int64_t> block,
                                  const mlir::IRMapping &known);

} // namespace regrain
