//===- Exchanges.h - Elements that threads hand to each other ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block exchange elements of a shared array whose numbers follow from their own: the
// elements can live in registers if the block is one warp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain::fuzz {

/// The ways in which threads exchange elements.
enum class ElementExchange : uint8_t {
  Halves,     ///< a tree in which half of the threads take part, then a quarter, and so on
  Pairs,      ///< a tree over neighbours, then over pairs, and so on
  Scan,       ///< from one array to another and back
  Rotate,     ///< elements at a constant distance
  Mirror,     ///< the last for the first
  Broadcast,  ///< elements that all threads read
  Neighbours, ///< with an element before the first and behind the last
  Columns,    ///< rows become columns
  Newer,      ///< data decides which threads write again, and read that
};
inline constexpr uint32_t elementExchanges = 9, elementTypes = 4;

} // namespace regrain::fuzz
