//===- LaneSource.h - From which lane each lane reads -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/LaneValues.h"
#include <array>

namespace regrain {

/// The number of bits of a lane's number.
inline constexpr unsigned laneBits = 5;

/// For each lane the one from which it reads; nothing if it does not matter.
using SourceLanes = llvm::SmallVector<std::optional<unsigned>, warpThreads>;

/// A formula for the source of each lane.
struct LaneSource {
  enum Kind {
    Same,   ///< `base` for all lanes
    Down,   ///< lane + base
    Up,     ///< lane - base
    Across, ///< lane ^ base
    Linear, ///< (lane * factor + base) modulo 32
    Bits,   ///< base, and for each bit of the lane's number that is set, ^ one of `masks`
  } kind = Same;
  unsigned base = 0;
  unsigned factor = 0;
  std::array<unsigned, laneBits> masks = {};
};

/// Returns the cheapest formula for `sources`, or nothing if none is found.
[[nodiscard]] std::optional<LaneSource> findLaneSource(const SourceLanes &sources);

} // namespace regrain
