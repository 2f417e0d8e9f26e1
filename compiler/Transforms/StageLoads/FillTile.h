//===- FillTile.h - The copy of a footprint ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/Tiles.h"

namespace regrain {

/// The threads that fill a tile.
struct Filling {
  grain::ThreadsOp threads;
  TilePlace block; ///< threads per dimension, and iterations
  const LoadAddresses &addresses;
  AffineForms &forms;
  const Uniformity &uniformity;
  mlir::IRMapping known = {}; ///< of the loop's counter to the number of the tile

  [[nodiscard]] int64_t count() const { return block[0] * block[1] * block[2]; }
};

/// Creates the copy of what the block loads from `tile` to `shared`, at `builder`. In a loop, loads
/// have no guards.
void fillTile(mlir::OpBuilder &builder, const Tile &tile, mlir::Value shared, Filling &filling);

} // namespace regrain
