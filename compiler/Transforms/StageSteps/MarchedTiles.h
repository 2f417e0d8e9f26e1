//===- MarchedTiles.h - Which loads of a march get rings --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Reuse.h"
#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/StageSteps/PlaneCopy.h"
#include "compiler/Transforms/StageSteps/StageSteps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// A loop over steps with the tiles of what it loads.
struct March {
  TiledLoop tiled;
  std::unique_ptr<LoadAddresses> addresses;
  std::vector<MarchedTile> tiles;
};

/// Finds what can be staged in a kernel. The object is valid until the kernel changes.
class MarchSearch {
public:
  MarchSearch(grain::KernelOp kernel, const RingForm &form);

  /// Chooses loads to stage. If there are none, returns what speaks against the first one.
  [[nodiscard]] std::optional<Refusal> find();

  [[nodiscard]] llvm::ArrayRef<March> chosen() const { return marches; }
  /// Returns what fills a tile of `march`.
  [[nodiscard]] Filling fillingOf(const March &march);

private:
  Refusal none(mlir::Operation *op, const llvm::Twine &reason) {
    return refuse(op, RefusalKind::NothingStaged, reason);
  }
  std::optional<Refusal> checkKernel();
  std::optional<llvm::StringRef> objectionToLoop(mlir::scf::ForOp loop);
  std::optional<llvm::StringRef> addLoad(mlir::LLVM::LoadOp load, March &march,
                                         GuardSolver &solver);
  std::optional<llvm::StringRef> objectionTo(const Tile &tile, const TilePlace &block);
  std::optional<llvm::StringRef> addTile(Tile tile, March &march);
  void addMarch(mlir::scf::ForOp loop);

  grain::KernelOp kernel;
  RingForm form;
  grain::ThreadsOp threads;
  Accesses accesses;
  AffineForms forms;
  Uniformity uniformity;
  Recomputation recomputation;
  TilePlace block = {1, 1, 1, 1};
  uint64_t sharedBytes; ///< of the rings, and of the kernel's arrays beside them
  uint64_t mostShared;
  std::vector<March> marches;
  llvm::SmallVector<StageableLoad> candidates;               ///< of one loop
  llvm::DenseMap<mlir::Operation *, PassingThreads> passing; ///< for each candidate
  std::optional<Refusal> first;                              ///< what speaks against the first load
};

} // namespace regrain
