//===- TiledLoops.h - Which loops get tiles ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/StageLoads/Tiles.h"
#include <memory>

namespace regrain {

/// A loop with the tiles of what it loads.
struct StagedLoop {
  TiledLoop tiled;
  LoadGuard guard;
  llvm::SmallVector<Extreme> extremes; ///< of the guard; empty if it is the same for all threads
  std::unique_ptr<LoadAddresses> addresses;
  std::vector<Tile> tiles;

  /// Returns whether not all blocks can run it.
  [[nodiscard]] bool needsVersion() const {
    return !extremes.empty() || !addresses->assumptions().empty();
  }
  /// Returns the operation in the body of the threads that contains the loop.
  [[nodiscard]] mlir::Operation *outermost(grain::ThreadsOp threads) const {
    return threads.getBody().front().findAncestorOpInBlock(*tiled.loop);
  }
  [[nodiscard]] size_t loads() const;
  [[nodiscard]] uint64_t bytes() const; ///< of shared memory
};

/// Finds the loops of a kernel that can be staged. The object is valid until the kernel changes.
class TiledLoops {
public:
  TiledLoops(grain::KernelOp kernel, bool inBulk);

  /// Chooses loops to stage. If there are none, returns what speaks against the first one.
  [[nodiscard]] std::optional<Refusal> find();

  [[nodiscard]] llvm::ArrayRef<StagedLoop> chosen() const { return loops; }
  [[nodiscard]] const TilePlace &threadsPerDimension() const { return block; }
  [[nodiscard]] AffineForms &affineForms() { return forms; }
  [[nodiscard]] const Uniformity &uniformityOfValues() const { return uniformity; }

private:
  Refusal none(mlir::Operation *op, const llvm::Twine &reason) {
    return refuse(op, RefusalKind::NothingStaged, reason);
  }
  std::optional<Refusal> checkKernel();
  std::optional<llvm::StringRef> objectionToBody(mlir::scf::ForOp loop);
  std::optional<llvm::StringRef> addGuard(StagedLoop &staged);
  std::optional<llvm::StringRef> formTilesOf(StagedLoop &staged, int64_t iterations);
  std::optional<llvm::StringRef> add(mlir::scf::ForOp loop);
  bool isWorthIt(const Tile &tile) const;
  void choose();

  grain::KernelOp kernel;
  bool inBulk; ///< rows are copied at once
  grain::ThreadsOp threads;
  Accesses accesses;
  AffineForms forms;
  Uniformity uniformity;
  Recomputation recomputation;
  TilePlace block = {1, 1, 1, 1};
  uint64_t sharedBytes; ///< of the kernel's arrays
  std::vector<StagedLoop> loops;
};

} // namespace regrain
