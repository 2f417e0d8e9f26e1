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

/// Gives each element of a shared array a register of the lane that writes it.
class Homes {
public:
  /// Places what a store of `size` bytes writes; stores of many lanes come first. Returns false if
  /// an element lives in another lane, or overlaps one that begins elsewhere or has another size.
  [[nodiscard]] bool add(const LaneElements &elements, int64_t size);

  /// Returns where each lane finds its element, nothing for an element that is never written.
  /// Returns nothing at all if an element overlaps one that begins elsewhere or has another size.
  [[nodiscard]] std::optional<LaneHomes> find(const LaneElements &elements, int64_t size) const;

  /// Returns the bytes of each register.
  [[nodiscard]] llvm::ArrayRef<int64_t> sizes() const { return sizeOf; }

private:
  struct Element {
    int64_t size;
    Home home;
  };
  bool isApart(int64_t offset, int64_t size) const;
  std::optional<unsigned> commonRegister(const LaneElements &elements, LaneSet homeless,
                                         int64_t size) const;

  std::map<int64_t, Element> known;
  llvm::SmallVector<int64_t> sizeOf;
  llvm::SmallVector<LaneSet> taken; ///< lanes whose register of this number has an element
};

} // namespace regrain
