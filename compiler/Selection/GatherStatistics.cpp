//===- GatherStatistics.cpp - Which grains may be worth trying ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/GatherStatistics.h"

#include "compiler/Alternatives/AccumulatingBlocks.h"
#include "compiler/Alternatives/SeenLaunches.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Selection/JoinedTiles.h"
#include "compiler/Selection/KeptRows.h"
#include "compiler/Selection/KnownBlock.h"
#include "compiler/Selection/MarchedGrains.h"
#include "compiler/Selection/MeasuredLaunches.h"
#include "compiler/Selection/StagedLoopGrains.h"
#include "compiler/Selection/StridedGrains.h"
#include "compiler/Selection/ThreadSplits.h"
#include "compiler/Selection/TransposedGrains.h"
#include "compiler/Selection/Trial.h"
#include "compiler/Selection/WarpExchange.h"
#include "compiler/Target/Registry/Registry.h"
#include "compiler/Transforms/DealIterations/DealIterations.h"
#include "compiler/Transforms/HintLoads/HintLoads.h"
#include "compiler/Transforms/PadShared/PadShared.h"
#include "compiler/Transforms/StreamStores/StreamStores.h"

using namespace regrain;

Statistics regrain::gatherStatistics(const DeviceKernel &kernel, grain::KernelOp op,
                                     const ImageOptions &options) {
  std::vector<KnownLaunch> seen = launchesOf(kernel, options.launches);
  Statistics statistics = statisticsOf(op, kernel.maxThreads);
  statistics.seenBlock = commonBlock(seen);
  statistics.gainsByBlock = statistics.seenBlock && gainsByBlock(op, *statistics.seenBlock);
  statistics.warpExchanges =
      exchangesInWarps(op, statistics.seenBlock, kernel.maxThreads, options.reordersSums);
  statistics.keptRows = launchesWithRows(op, seen);
  statistics.hasCommonArrays =
      statistics.accumulatesShared && isPossible(op, accumulatingGrain(statistics, 2));
  TargetFeatures features = featuresOf(options.targets);
  statistics.choosesAddresses = features.choosesAddresses && hasLoopOfUnknownLength(statistics);
  statistics.choosesControlFlow = features.choosesControlFlow;
  statistics.multiprocessors = multiprocessorsOf(options.targets);
  statistics.sharesFootprint = statistics.seenBlock && !statistics.multiprocessors.empty() &&
                               sharesFootprint(op, *statistics.seenBlock);
  statistics.meetsInWarps = features.hasWarpBarriers && Barriers(op).isIn(op);
  if (features.boundGivesRegisters)
    statistics.bound = boundFor(seen, kernel.maxThreads);
  statistics.alignsAccesses = features.alignsAccesses;
  statistics.streamsStores = features.streamsStores && !findStreaming(op).empty();
  statistics.streamsLoads = features.streamsLoads && !findLoads(op, LoadHint::LoadedOnce).empty();
  statistics.conflictsInBanks = features.accessesInWarps && canPadShared(op);
  statistics.dealsIterations = features.accessesInWarps && canDealIterations(op, Dealing::Cyclic);
  statistics.scattersLoads &= features.prefetches;
  statistics.sumsInLoops &= options.reordersSums;
  if (features.accessesInWarps) {
    statistics.threadSplits = threadSplitsOf(op, options.reordersSums);
    statistics.transposed = transposedGrainsOf(op, statistics.joinable.divisors);
    statistics.stagedLoops = stagedLoopGrainsOf(op, features.copiesRows);
    statistics.joinedTiles = joinedTilesOf(op, statistics);
    statistics.strided = stridedGrainsOf(op, statistics);
    statistics.marched = marchedGrainsOf(op);
  }
  statistics.pairsNumbers &= features.packsArithmetic;
  return statistics;
}
