//===- Iterations.h - Copies of a loop's iterations -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/SplitThreads/DealtLoops.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace regrain {

/// The elements of rows, by row and by iteration of the lane.
using KeptRows = std::vector<llvm::SmallVector<mlir::Value>>;

/// Copies iterations of a loop that is dealt. The loop itself remains as it is.
class Iterations {
public:
  explicit Iterations(const DealtLoop &dealt);

  /// Creates the iterations of one lane whose 64-bit numbers are `counters`, in their order. Their
  /// accesses stand side by side, because iterations touch no common memory.
  ///
  /// `carried` holds what the loop carries, and then for each choice the iteration from which it
  /// is; on return, what these are behind the iterations. Sums in the program's order are left out.
  /// Returns the values of each iteration.
  llvm::SmallVector<mlir::IRMapping> copy(mlir::OpBuilder &builder,
                                          llvm::ArrayRef<mlir::Value> counters,
                                          llvm::MutableArrayRef<mlir::Value> carried);

  /// Creates the first rounds of a lane, of which elements are kept. Loads of rows take the values
  /// in `kept`, by row and iteration.
  llvm::SmallVector<mlir::IRMapping> copyRounds(mlir::OpBuilder &builder,
                                                llvm::ArrayRef<mlir::Value> counters,
                                                const KeptRows &kept,
                                                llvm::MutableArrayRef<mlir::Value> carried);

  /// Returns whether no operation that needs a carried value accesses memory, so that accesses of
  /// several iterations may stand side by side.
  [[nodiscard]] static bool canInterleave(mlir::scf::ForOp loop);

private:
  bool isCarried(unsigned number) const {
    return dealt.carried.values[number].kind != CarriedValue::Ordered;
  }
  mlir::IRMapping startAt(mlir::OpBuilder &builder, mlir::Value counter);
  void runFollowing(mlir::OpBuilder &builder, mlir::IRMapping &mapping, mlir::Value counter,
                    llvm::MutableArrayRef<mlir::Value> carried);
  void carryOn(mlir::OpBuilder &builder, const mlir::IRMapping &mapping, mlir::Value counter,
               llvm::MutableArrayRef<mlir::Value> carried);

  const DealtLoop &dealt;
  mlir::scf::ForOp loop;
  mlir::Operation *wideCounter = nullptr;         ///< the counter as a number of 64 bits, if used
  llvm::SmallVector<mlir::Operation *> alone;     ///< operations that need no carried value
  llvm::SmallVector<mlir::Operation *> following; ///< those that need one, and the rest
};

} // namespace regrain
