//===- grid_part.cpp - A part of a launch to time -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/grid_part.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace regrain {

static uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::optional<Extent> partOf(const Extent &grid, uint64_t blocks, double seconds,
                             std::span<const Grain> grains) {
  size_t dimension = size_t(std::max_element(grid.begin(), grid.end()) - grid.begin());
  uint64_t all = product(grid), most = grid[dimension] / 2;
  if (all == 0 || seconds <= 0)
    return std::nullopt;
  uint64_t layer = all / grid[dimension]; // blocks that share a coordinate in the dimension
  auto lasting = uint64_t(std::ceil(double(all) * std::min(leastPartSeconds / seconds, 1.0)));
  blocks = std::max({blocks, lasting, uint64_t(1)});
  uint64_t layers = (blocks + layer - 1) / layer;
  if (layers > most)
    return std::nullopt;
  uint64_t unit = 1;
  for (const Grain &grain : grains)
    if (unit <= most)
      unit = std::lcm(unit, uint64_t(grain.block[dimension]) * grain.fuse[dimension]);
  if (unit <= most && roundUp(layers, unit) <= most)
    layers = roundUp(layers, unit);
  Extent part = grid;
  part[dimension] = uint32_t(layers);
  return part;
}

} // namespace regrain
