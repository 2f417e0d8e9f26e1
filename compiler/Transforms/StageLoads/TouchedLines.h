//===- TouchedLines.h - What a block loads of a tile ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/Tiles.h"

namespace regrain {

/// The lines of the tile that the same loads touch in each block whose conditions all hold.
struct TouchedLines {
  TilePlace row; ///< of the thread whose coordinates are 0; its place in the line is unused
  llvm::SmallVector<Run> runs;
};

/// Returns the lines, as far as threads touch them, that loads with the same row have in common.
[[nodiscard]] std::vector<TouchedLines> touchedLines(const Tile &tile, const TilePlace &block);

/// Lets what all lines have in common be copied at once, if that is long, and aligned as in memory.
/// Lines then lie in shared memory as they are expected to lie in lines of global memory. Returns
/// why there is nothing such, as one clause, or nothing.
[[nodiscard]] std::optional<llvm::StringRef> chooseBulk(Tile &tile, const TilePlace &block);

} // namespace regrain
