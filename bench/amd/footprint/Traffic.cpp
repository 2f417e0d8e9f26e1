//===- Traffic.cpp - Memory traffic of a stencil --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/amd/footprint/Traffic.h"

#include <algorithm>

namespace regrain::footprint {

namespace {

class Simulation {
public:
  Simulation(const Sweep &sweep, const CacheShape &shape)
      : sweep(sweep), lineBytes(shape.lineBytes), cache(shape),
        blocksInX((sweep.points[0] + sweep.blockThreads - 1) / sweep.blockThreads),
        blocksInY(sweep.points[1] / sweep.rows) {}

  uint64_t blocks() const { return blocksInX * blocksInY * sweep.points[2]; }

  /// Makes one access by all threads of a block.
  void access(uint64_t block, const PointAccess &access) {
    int64_t z = block / (blocksInX * blocksInY);
    if (z == 0 || z == sweep.points[2] - 1)
      return;
    int64_t y = block / blocksInX % blocksInY * sweep.rows + access.point[1];
    int64_t edge = access.how == Touch::Load ? 0 : 1;
    if (y < edge || y >= sweep.points[1] - edge)
      return;
    int64_t begin = block % blocksInX * sweep.blockThreads;
    int64_t end = std::min<int64_t>(begin + sweep.blockThreads, sweep.points[0] - 1);
    begin = std::max<int64_t>(begin, 1);
    if (begin >= end)
      return;
    uint64_t row = ((z + access.point[2]) * sweep.points[1] + y) * sweep.points[0];
    uint64_t first = row + begin + access.point[0], last = row + end - 1 + access.point[0];
    // The distance is twice as large as any offset, and a multiple of every
    // power of two.
    uint64_t array = access.how == Touch::Load ? 0 : uint64_t(1) << 48;
    for (uint64_t line = first * sweep.valueBytes / lineBytes,
                  stop = (last * sweep.valueBytes + sweep.valueBytes - 1) / lineBytes;
         line <= stop; ++line)
      cache.touch(array + line, access.how);
  }

  Traffic traffic() const {
    return {cache.fetchedLines() * lineBytes, cache.writtenLines() * lineBytes};
  }

private:
  const Sweep &sweep;
  uint64_t lineBytes;
  Cache cache;
  uint64_t blocksInX, blocksInY;
};

} // namespace

Traffic simulate(const std::vector<PointAccess> &accesses, const Sweep &sweep,
                 const CacheShape &shape) {
  Simulation simulation(sweep, shape);
  uint64_t blocks = simulation.blocks(), resident = sweep.residentBlocks, count = accesses.size();
  for (uint64_t time = 0; time < blocks + resident; ++time)
    // The oldest blocks come first: they are at their last accesses.
    for (uint64_t k = count; k-- > 0;) {
      uint64_t age = resident * k / count;
      if (time >= age && time - age < blocks)
        simulation.access(time - age, accesses[k]);
    }
  return simulation.traffic();
}

} // namespace regrain::footprint
