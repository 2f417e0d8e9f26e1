//===- Traffic.h - Memory traffic of a stencil ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a model, not a measurement. Its assumptions are:
// - One cache stands between all blocks and memory (Cache.h). First-level caches
//   do not change its misses, and hardly their times.
// - Blocks start in order of their numbers, x fastest, as soon as one ends; as many
//   are resident as registers allow, each runs for the same time, and its accesses
//   are spread evenly over it. So access k of K of block b happens at b + R * k / K,
//   where the unit of time is the start of a block and R are resident.
// - The waves of a block access together.
// - Each thread makes the accesses of one in the interior; rows outside the grid are
//   left out, as are lanes and slices on the boundary, and stores to boundary rows.
// - A grain that starts with the last blocks is assumed to start with the
//   first.
// - The two arrays lie far apart and at the beginning of the first set.
// Least recently used replacement has cliffs: if reused data just fits or just does
// not fit, the model gives all or nothing, and hardware something between. Code
// that spills moves more: its scratch is not part of the model.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench/amd/footprint/Cache.h"
#include <array>

namespace regrain::footprint {

/// An access of a thread, relative to the first of its points.
struct PointAccess {
  Touch how = Touch::Load;
  std::array<int32_t, 3> point = {}; ///< x, y, z
  friend bool operator==(const PointAccess &, const PointAccess &) = default;
};

struct Sweep {
  std::array<uint32_t, 3> points = {512, 512, 512}; ///< x, y, z; y a multiple of `rows`
  uint32_t rows = 1;                                ///< of a thread, in y
  uint32_t blockThreads = 256;                      ///< threads of a block in x
  uint32_t residentBlocks = 1;                      ///< on the device
  uint32_t valueBytes = 8;
};

struct Traffic {
  uint64_t fetchedBytes = 0, writtenBytes = 0;
};

/// Returns the traffic of `accesses`, in this order, made by every column of the
/// grid.
[[nodiscard]] Traffic simulate(const std::vector<PointAccess> &accesses, const Sweep &sweep,
                               const CacheShape &shape);

} // namespace regrain::footprint
