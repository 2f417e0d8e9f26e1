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

namespace {

struct Size {
  uint32_t results; ///< of a thread
  uint32_t threads; ///< of a launched block, if the program's block has as many
};

constexpr uint32_t mostNeighbours = 8;

} // namespace

/// The sizes by how much they gain. Registers for 64 sums leave room for two blocks of 256 threads;
/// with fewer results, a block needs less shared memory.
static constexpr Size sizes[] = {{64, 256}, {64, 512}, {32, 256}};

/// Returns the grain of that size. Neighbours and blocks are joined nearly alike along x and y.
static Grain grainOf(const Size &size, const Statistics &statistics) {
  auto divide = [](uint32_t count, Factors &factors, unsigned first) {
    for (; count > 1; count /= 2)
      factors[factors[first] <= factors[1 - first] ? first : 1 - first] *= 2;
  };
  Grain grain;
  uint32_t threads = launchedThreads(statistics, Grain());
  uint32_t joined = std::clamp(threads / size.threads, 1u, mostNeighbours);
  divide(joined, grain.thread, 0);
  divide(size.results / joined, grain.block, 1);
  grain.contiguous = joined != 1;
  if (grain.contiguous && statistics.alignsAccesses && statistics.joinable.isAny())
    grain.known = statistics.joinable.alignedFor(grain.thread[0]);
  return grain;
}

std::vector<Grain> regrain::joinedTilesOf(grain::KernelOp kernel, const Statistics &statistics) {
  if (!statistics.use.block[0] || !statistics.use.block[1] || !readsMuchShared(statistics) ||
      !haveCommonRowsAndColumns(kernel.blocks()))
    return {};
  std::vector<Grain> possible;
  for (const Size &size : sizes) {
    Grain grain = grainOf(size, statistics);
    if (!llvm::is_contained(possible, grain) && isPossible(kernel, grain))
      possible.push_back(grain);
  }
  return possible;
}
