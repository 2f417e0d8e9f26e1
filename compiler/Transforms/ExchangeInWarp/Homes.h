//===- Homes.h - The registers in which elements live -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/LaneValues.h"
#include <map>

namespace regrain {

/// The elements that the lanes of a warp touch in one access, by their offsets in the array;
/// nothing for a lane that touches none.
using LaneElements = llvm::SmallVector<std::optional<int64_t>, warpThreads>;

/// A register of one lane. All lanes have a register of each number.
struct Home {
  unsigned number;
  unsigned lane;
  friend bool operator==(const Home &, const Home &) = default;
};

using LaneHomes = llvm::SmallVector<std::optional<Home>, warpThreads>;

/// The elements of one access, by warp of the block.
using WarpElements = std::vector<LaneElements>;

/// Gives each element of a shared array a register of the lane that writes it. All warps run the
/// same code, so the elements of an access live in the same registers and lanes of each.
class Homes {
public:
  /// Places what a store of `size` bytes writes; stores of many lanes come first. Returns false if
  /// an element lives in another lane, or overlaps one that begins elsewhere or has another size.
  [[nodiscard]] bool add(const WarpElements &elements, int64_t size);

  /// Returns where each lane finds its element in its warp, nothing for an element that is never
  /// written. Returns nothing at all if an element lives in another warp, if warps differ, or if an
  /// element overlaps one that begins elsewhere or has another size.
  [[nodiscard]] std::optional<LaneHomes> find(const WarpElements &elements, int64_t size) const;

  /// Returns the bytes of each register.
  [[nodiscard]] llvm::ArrayRef<int64_t> sizes() const { return sizeOf; }

private:
  struct Element {
    int64_t size;
    size_t warp;
    Home home;
  };
  /// Some lanes of each warp.
  using BlockSet = llvm::SmallVector<LaneSet>;

  bool isApart(int64_t offset, int64_t size) const;
  bool isFree(unsigned number, const BlockSet &lanes) const;
  std::optional<BlockSet> findHomeless(const WarpElements &elements, int64_t size) const;
  unsigned registerFor(const WarpElements &elements, const BlockSet &homeless, int64_t size);

  std::map<int64_t, Element> known;
  llvm::SmallVector<int64_t> sizeOf;
  std::vector<BlockSet> taken; ///< lanes whose register of this number has an element
};

} // namespace regrain
