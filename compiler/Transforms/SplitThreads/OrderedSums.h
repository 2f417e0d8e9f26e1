//===- OrderedSums.h - Sums that keep their order ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/SplitThreads/DealtLoops.h"
#include "compiler/Transforms/SplitThreads/LaneGroup.h"
#include "mlir/IR/IRMapping.h"

namespace regrain {

/// The sums of a loop that lanes form together, in the program's order.
class OrderedSums {
public:
  /// A number that is added: what lanes exchange, and how it is widened before it is added.
  struct Term {
    mlir::Value exchanged;     ///< of the loop
    mlir::Operation *widening; ///< null if it is added as it is
    double neutral;            ///< what changes no sum
  };

  OrderedSums(const DealtLoop &dealt, const LaneGroup &group);

  [[nodiscard]] llvm::ArrayRef<Term> getTerms() const { return terms; }

  /// Creates the additions of iterations that all lanes have run: of lane 0 the first `together`
  /// ones, then as many of each other lane, and so on. `exchanged` holds the own terms of each
  /// iteration of the lane. Replaces the sums in `carried`.
  void add(mlir::OpBuilder &builder, llvm::ArrayRef<llvm::SmallVector<mlir::Value>> exchanged,
           unsigned together, llvm::MutableArrayRef<mlir::Value> carried);

private:
  using Moved = llvm::DenseMap<mlir::Value, mlir::Value>;
  mlir::Value addIteration(mlir::OpBuilder &builder, unsigned number,
                           llvm::ArrayRef<mlir::Value> exchanged, uint32_t lane, Moved &moved,
                           mlir::Value sum);

  const CarriedValues &carriedValues;
  mlir::scf::ForOp loop;
  const LaneGroup &group;
  llvm::SmallVector<Term> terms;
  llvm::DenseMap<unsigned, size_t> firstTerms; ///< by the number of the carried value
};

} // namespace regrain
