//===- CarriedValues.h - What dealt loops carry -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the iterations of a loop are dealt among lanes, a value that is carried from one to the next
// must be put together from what the lanes have. These values can be, so that the result has the
// bits of the program's:
//
// - Integers that iterations add, multiply, or combine bit by bit or by minimum or maximum. The
//   order makes no difference modulo 2^n, so nothing may be said of overflow any more.
// - The best of what iterations compare with the best before, and values that are taken together
//   with it (its position, say). The first of equals remains, or the last one, so that the sign of
//   a zero is the program's. A number that is no number is never taken, because the comparison is
//   ordered; if the best before the loop is one, it stays.
// - Sums of floating-point numbers. In the program's order, each lane computes the term of one
//   iteration, and all lanes add the terms of all, one after the other. In another order, which the
//   grain must permit, each lane adds its own terms first.
//
// - If another order is permitted, the largest or smallest by fmaxf and the like, which do not say
//   which of two zeros they return, and sums under a running maximum (RunningSums.h).
//
// No partial result may have another use.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refuse.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

struct CarriedValue {
  enum Kind : uint8_t {
    Combined, ///< integers, or the largest of numbers, by the operation of the first link
    Chosen,   ///< taken where `choice` says so
    Summed,   ///< floating-point numbers, in any order
    Ordered,  ///< floating-point numbers, in the program's order
    Running,  ///< a sum of exponentials of what numbers are less than the largest one so far
  };
  Kind kind;
  llvm::SmallVector<mlir::Operation *> links = {}; ///< of Ordered and Summed: the sums, in order
  unsigned choice = 0;                             ///< of Chosen
};

/// A choice of the best. Its comparison has the value that may be taken as its first operand.
struct Choice {
  mlir::Operation *comparison; ///< of the program
  bool isNewFirst;             ///< the first operand is the value that may be taken
  bool takesWhereTrue;
  bool takesEqual; ///< the last of equals remains
  bool isGreater;  ///< the greatest is the best
  unsigned leader; ///< the carried value that is compared
};

/// The running sum of a softmax: s * exp(m - n) + exp(x - n), where n is the larger one of m and x.
struct RunningSum {
  unsigned sum, largest;                      ///< the carried values
  mlir::Operation *exponential;               ///< one of both
  mlir::Operation *larger;                    ///< that n is the result of
  std::array<mlir::Operation *, 2> distances; ///< m - n and x - n
  bool mayBeginInfinite;                      ///< m is -inf before the loop
};

struct CarriedValues {
  llvm::SmallVector<CarriedValue> values; ///< in the loop's order
  llvm::SmallVector<Choice> choices;
  llvm::SmallVector<RunningSum> running;

  [[nodiscard]] bool areOrdered() const {
    return llvm::any_of(
        values, [](const CarriedValue &value) { return value.kind == CarriedValue::Ordered; });
  }
};

/// Finds how the values that `loop` carries can be put together. Refuses a loop with other values.
[[nodiscard]] std::optional<Refusal> findCarriedValues(mlir::scf::ForOp loop, bool mayReorder,
                                                       CarriedValues &found);

} // namespace regrain
