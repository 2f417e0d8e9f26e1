//===- AccumulatingBlocks.cpp - Blocks that accumulate together -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/AccumulatingBlocks.h"

#include "compiler/Alternatives/Model.h"
#include "runtime/image/launch_limits.h"

#include <iterator>

using namespace regrain;

namespace {

struct Blocks {
  uint32_t blocks, steps;
};
/// The more blocks are joined, the rarer is the flush, which takes the time of a kernel that
/// accumulates. Without steps, as many loads are on their way as blocks are joined, which takes
/// registers. A histogram of 32 Mi integers gained 30, 23, 19, 12 and 7 in this order on an H200.
constexpr Blocks joinedBlocks[] = {{256, 32}, {64, 8}, {32, 1}, {16, 1}, {8, 1}};
constexpr uint32_t mostTogether = 128; ///< max of the program's threads in a step of a launched one
constexpr uint32_t unalignedNeighbours = 4;

/// Returns the numbers of neighbours whose accesses become one, and that leave a warp of the block.
/// A block that is not seen may have twice as many threads as is assumed, or not.
std::vector<uint32_t> joinedNeighbours(const Statistics &statistics) {
  unsigned threads = launchedThreads(statistics, Grain());
  unsigned most = statistics.seenBlock ? threads : 2 * threads;
  uint32_t joined = std::max(2u, widestAccess / statistics.joinable.least);
  while (joined > 2 && joined * warpThreads > most)
    joined /= 2;
  if (joined > 2 && joined * warpThreads > threads)
    return {joined, joined / 2};
  return {joined};
}

} // namespace

Grain regrain::accumulatingGrain(const Statistics &statistics, uint32_t blocks) {
  Grain grain = {.shared = SharedArrays::Common};
  unsigned dimension = statistics.use.block[0] || !statistics.use.block[1] ? 0 : 1;
  grain.block[dimension] = blocks;
  return grain;
}

std::vector<Grain> regrain::accumulatingGrains(const Statistics &statistics, bool joinsAccesses) {
  if (!statistics.accumulatesShared)
    return {};
  if (!statistics.hasCommonArrays)
    return {accumulatingGrain(statistics, std::rbegin(joinedBlocks)->blocks)};
  std::vector<uint32_t> neighbours;
  if (statistics.isWidenable && statistics.use.thread[0])
    neighbours = joinsAccesses ? joinedNeighbours(statistics) : std::vector{unalignedNeighbours};
  std::vector<Grain> grains;
  for (auto [blocks, steps] : joinedBlocks) {
    Grain grain = accumulatingGrain(statistics, blocks);
    if (steps != 1)
      grain.codegen["steps"] = steps;
    grains.push_back(grain);
    grain.contiguous = true;
    for (uint32_t joined : neighbours) {
      grain.thread[0] = joined;
      if (joinsAccesses)
        grain.known = statistics.joinable.alignedFor(joined);
      if (blocks / steps * joined <= mostTogether)
        grains.push_back(grain);
    }
  }
  return grains;
}
