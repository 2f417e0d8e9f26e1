//===- JoinedTiles.cpp - Larger tiles of the program's own ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/JoinedTiles.h"

#include "compiler/Alternatives/KernelFacts.h"
#include "compiler/Alternatives/Model.h"
#include "compiler/Selection/Trial.h"
#include "compiler/Transforms/CoarsenBlocks/FilledAlike.h"

using namespace regrain;

/// The results of a thread, by how much they gain: of 512 threads, each has registers for 64 sums.
static constexpr uint32_t resultsOfThread[] = {64, 32};
static constexpr uint32_t mostThreads = 512;
static constexpr uint32_t mostNeighbours = 8;

/// Returns the grain with `results` in each of `threads`, or of fewer: neighbours are joined as far
/// as the block is too large, and blocks nearly alike along x and y.
static Grain grainOf(uint32_t results, uint32_t threads, const Statistics &statistics) {
  Grain grain;
  uint32_t joined = std::clamp(threads / mostThreads, 1u, mostNeighbours);
  grain.thread[0] = joined;
  grain.contiguous = joined != 1;
  if (grain.contiguous && statistics.alignsAccesses && statistics.joinable.isAny())
    grain.known = statistics.joinable.alignedFor(joined);
  for (uint32_t blocks = results / joined; blocks > 1; blocks /= 2)
    grain.block[grain.block[0] < grain.block[1] ? 0 : 1] *= 2;
  return grain;
}

std::vector<Grain> regrain::joinedTilesOf(grain::KernelOp kernel, const Statistics &statistics) {
  if (!statistics.use.block[0] || !statistics.use.block[1] || !readsMuchShared(statistics) ||
      !haveCommonRowsAndColumns(kernel.blocks()))
    return {};
  std::vector<Grain> possible;
  for (uint32_t results : resultsOfThread) {
    Grain grain = grainOf(results, launchedThreads(statistics, Grain()), statistics);
    if (isPossible(kernel, grain))
      possible.push_back(grain);
  }
  return possible;
}
