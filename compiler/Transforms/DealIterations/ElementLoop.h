//===- ElementLoop.h - Loops over elements of threads -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "compiler/Transforms/DealIterations/WrappingSum.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// What is known of a kernel before it changes.
struct DealingFacts {
  explicit DealingFacts(grain::KernelOp kernel);

  /// Returns whether threads that differ only in x have the same value.
  [[nodiscard]] bool isSame(mlir::Value value) const {
    return !overlap(uniformity.of(value), Dependence::ThreadX | Dependence::ThreadMemory);
  }

  /// Returns whether such threads have the same sum, which is known before `loop`.
  [[nodiscard]] bool isSameBefore(mlir::Operation *loop, const WrappingSum &sum) const;

  Uniformity uniformity;
  Accesses accesses;
  WrappingSums sums;
  bool hasOwnMemory = false; ///< arrays of a thread, and parameters that it may change
};

/// A loop that threads which differ only in x run equally often. It counts from a number that is
/// the same for them; or its counter is the element: it runs from b to b + n, or to min(b + n,
/// end), where b is x * n and a sum that is the same for them.
struct ElementLoop {
  WrappingSum first; ///< of the counter; 0 if the counter is the element
  WrappingSum count; ///< iterations of each thread, unless it is negative
  /// If the counter is the element: the iterations, what elements are less than (null if there is
  /// no such end), and the number of the first element of all threads.
  mlir::Value chunk, end;
  WrappingSum base;
};

/// Returns the form of a loop; nothing if it has no such form.
[[nodiscard]] std::optional<ElementLoop> findElementLoop(mlir::scf::ForOp loop,
                                                         DealingFacts &facts);

} // namespace regrain
