//===- Tiles.h - Which loads read from one tile -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is an array of what the threads of a block load by several loads. Along its line, elements
// follow each other in memory; its other dimensions are those of the block in which addresses have
// strides. Thread t loads by load j the element
//
//   line:       step * t[line] + column[j]
//   dimension:  t[dimension] + row[j][dimension]
//
// which lies `start` + element * bytes + sum(row * stride) behind the base.
//
// In a loop, the block has a fourth dimension: iterations that share a tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/Addresses.h"

namespace regrain {

/// A load that may be staged.
struct StageableLoad {
  mlir::LLVM::LoadOp load;
  int64_t bytes; ///< that it loads
  LoadAddress address;
  LoadGuard guard;
};

/// The alignment of a tile in shared memory in bytes, if none of its rows are copied at once.
inline constexpr unsigned tileAlignment = 16;

/// Bytes of a line of global memory.
inline constexpr int64_t memoryLine = 128;

/// Those of the block, and iterations.
inline constexpr unsigned tileDimensions = 4;

/// A place in a tile, or the extent of one, per dimension.
using TilePlace = std::array<int64_t, tileDimensions>;

/// The elements from `first` to `last` of a line.
struct Run {
  int64_t first, last;
  [[nodiscard]] int64_t length() const { return last - first + 1; }
};

struct TileLoad {
  mlir::LLVM::LoadOp load;
  LoadGuard guard;
  TilePlace first; ///< of the thread whose coordinates are 0
};

struct Tile {
  mlir::Value base;
  int64_t bytes = 0; ///< of an element
  unsigned line = 0; ///< the dimension along which elements follow each other
  int64_t step = 1;  ///< elements from thread to thread along the line
  Polynomial start;  ///< bytes from the base to the first element
  std::array<Polynomial, tileDimensions> strides; ///< bytes, per dimension of the block
  TilePlace extent = {1, 1, 1, 1};                ///< 1 in a dimension without stride
  /// In shared memory: from line to line, and in front of the first element of a line.
  int64_t pitch = 0, shift = 0;
  bool isAligned = false;  ///< lines can be copied by the widest accesses
  std::optional<Run> bulk; ///< what is copied at once of each line of which threads load that
  llvm::SmallVector<TileLoad> loads;

  [[nodiscard]] int64_t elements() const { return extent[0] * extent[1] * extent[2] * extent[3]; }
  [[nodiscard]] int64_t lines() const { return elements() / extent[line]; }

  /// Returns the number of the widest accesses that reach all elements of an aligned line.
  [[nodiscard]] int64_t widePerLine() const;

  /// Returns the size in shared memory, in elements.
  [[nodiscard]] int64_t slots() const { return pitch * lines(); }

  /// Returns whether the address depends on a coordinate.
  [[nodiscard]] bool hasStride(unsigned dimension) const {
    return !strides[dimension].terms.empty();
  }

  /// Returns the alignment of the array in shared memory, in bytes.
  [[nodiscard]] unsigned arrayAlignment() const { return bulk ? memoryLine : tileAlignment; }

  /// Returns the dimensions, in the order in which the tile is laid out.
  [[nodiscard]] std::array<unsigned, tileDimensions> order() const;

  /// Returns the type as which an element is copied, which keeps all bits.
  [[nodiscard]] mlir::Type copiedType() const;

  /// Returns what the addresses of all elements are multiples of, in bytes.
  [[nodiscard]] unsigned alignment() const;

  /// Returns the place of an element in shared memory, in elements.
  [[nodiscard]] int64_t slotOf(const TilePlace &place) const;
};

/// Returns the tiles of candidates in blocks of `block` threads, in the order of their first loads.
/// Candidates whose addresses have no line are left out.
[[nodiscard]] std::vector<Tile> formTiles(llvm::ArrayRef<StageableLoad> candidates,
                                          const LoadAddresses &addresses, const TilePlace &block);

/// Returns why a load cannot be staged, whatever its address, as one clause, or nothing.
[[nodiscard]] std::optional<llvm::StringRef> objectionTo(const Access &load);

/// Returns whether the loads of all threads are half as many again as the elements of the tile.
[[nodiscard]] bool isShared(const Tile &tile, const TilePlace &block);

/// Lets the elements of a tile have the places of their addresses within 16 bytes, if the lines of
/// the tile are known to be at multiples of that but for a constant. `base` are the bytes of which
/// the tile's base is a multiple.
void alignLines(Tile &tile, const LoadAddresses &addresses, uint64_t base);

} // namespace regrain
