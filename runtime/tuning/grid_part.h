//===- grid_part.h - A part of a launch to time -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the blocks of a kernel work alone (image::Kernel::blocks_work_alone), the first blocks of a
// launch do the same in a launch of their own. Candidates are then timed against the original on
// these blocks, in less time than the whole launch takes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"

#include <optional>
#include <span>

namespace regrain {

/// A part fills the device this often at the original, so that its edges count little, and at least
/// that often at each candidate.
inline constexpr uint64_t leastWaves = 8, leastWavesOfCandidate = 2;
/// The device takes at least this long for a part.
inline constexpr double leastPartSeconds = 0.002;

/// Returns the grid of a part of `grid`, of at least `blocks` blocks: fewer in the dimension that
/// has most, in whole launched blocks at each of `grains` if the grid has so many. Returns nothing
/// if the part would be more than half of the grid. `seconds` is the time of the whole launch.
[[nodiscard]] std::optional<Extent> partOf(const Extent &grid, uint64_t blocks, double seconds,
                                           std::span<const Grain> grains);

} // namespace regrain
