//===- DealtLoops.h - Which loops are dealt ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is dealt if its iterations are independent but for what CarriedValues.h puts together. Of
// loops in each other, the one is dealt in which more accesses are to neighbouring elements.
//
// If warps share a thread, all lanes of the program's warp run a dealt loop together, because the
// parts are put together behind it.
//
// A lane takes several neighbouring iterations at a time where they access neighbouring elements
// with each access: the loop counts by one, and the access is under no condition but one that the
// counter decides (GuardedRanges.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"
#include "compiler/Transforms/SplitThreads/CarriedValues.h"
#include "compiler/Transforms/SplitThreads/SplitThreads.h"
#include <vector>

namespace regrain {

/// An access whose element stays in a register, and the number of its row.
struct RowAccess {
  mlir::Operation *op;
  unsigned row;
};

/// What a loop has to do with elements that later loops read again (KeptElements.h).
struct RowPart {
  unsigned elements = 0;                     ///< iterations of a lane that are kept; 0 for none
  llvm::SmallVector<RowAccess> loads = {};   ///< that go
  llvm::SmallVector<RowAccess> sources = {}; ///< loads and stores of what is kept
  llvm::SmallVector<mlir::Operation *> dropped = {}; ///< stores that go
  /// The ends of the loops that keep elements together, if they differ. All are known before the
  /// first of these loops, and elements are kept if they are in front of all ends.
  llvm::SmallVector<mlir::Value> ends = {};
};

struct DealtLoop {
  mlir::scf::ForOp loop;
  CarriedValues carried;
  bool writes;    ///< to memory
  int neighbours; ///< accesses of neighbouring elements by iterations, less those of distant ones
  unsigned width = 1; ///< neighbouring iterations that a lane takes at a time
  /// Accesses of neighbouring elements that are joined if a lane takes neighbouring iterations.
  llvm::SmallVector<Access> joined = {};
  RowPart rows = {};
};

/// Returns whether lanes of a warp hand each other values by the operation, and no memory. Its
/// results are the same in all warps with the same lanes and values.
[[nodiscard]] bool isExchange(mlir::Operation *op);

/// The loops of a kernel that are dealt among lanes.
class DealtLoops {
public:
  /// Finds them in a nest that has not been re-grained. If warps are shared, what lanes of a warp
  /// have in common is derived from its first thread (WarpStarts.h).
  DealtLoops(grain::BlocksOp blocks, const ThreadSplitting &splitting);

  [[nodiscard]] std::vector<DealtLoop> &get() { return loops; }
  /// Divides the loops at the numbers with which branches compare their counters (GuardedRanges.h),
  /// and returns all parts, in order. Such a part may keep elements, too.
  [[nodiscard]] std::vector<DealtLoop> divide();
  /// Returns the operations that lanes of a program's warp may run differently, and that store.
  [[nodiscard]] llvm::ArrayRef<mlir::Operation *> getApart() const { return apart; }
  /// Returns the number of rows that later loops read again, if they could be kept.
  [[nodiscard]] unsigned countRows();
  /// Returns why the kernel cannot be split; nothing if it can, and then there are loops.
  [[nodiscard]] const std::optional<Refusal> &getRefusal() const { return refusal; }

private:
  std::vector<DealtLoop> visit(mlir::Block &block);
  std::vector<DealtLoop> visit(mlir::scf::ForOp loop);
  std::optional<Refusal> check(DealtLoop &dealt);
  void checkOrder();
  std::optional<Refusal> checkCounter(mlir::scf::ForOp loop) const;
  std::optional<Refusal> checkMemory(DealtLoop &dealt);
  int countNeighbours(mlir::scf::ForOp loop, llvm::ArrayRef<Access> inside) const;
  std::optional<int64_t> distanceOf(const Access &access, mlir::scf::ForOp loop) const;
  bool isOfWholeWarps(mlir::Operation *op) const;
  std::optional<Refusal> findApart(mlir::Block &block);
  void widen();
  void keepElements();
  llvm::SmallVector<Access> findJoined(mlir::scf::ForOp loop);

  Accesses accesses;
  ThreadSplitting splitting;
  std::optional<Uniformity> uniformity; ///< if warps are shared
  std::vector<DealtLoop> loops;
  llvm::SmallVector<mlir::scf::ForOp> inOrder; ///< loops that are not dealt for the order of sums
  llvm::SmallVector<mlir::Operation *> apart;
  std::optional<Refusal> refusal;
};

} // namespace regrain
