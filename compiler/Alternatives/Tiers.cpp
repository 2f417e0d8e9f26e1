//===- Tiers.cpp - Which grains come first --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Tiers.h"

#include "compiler/Alternatives/Model.h"
#include "compiler/Alternatives/Space.h"
#include "runtime/image/block_steps.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/launch_limits.h"
#include "runtime/image/thread_split.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace regrain;

namespace {

constexpr unsigned usualBlock = 256; ///< threads

/// What is added to a tier; the header says when.
constexpr int ofCombining = 3, ofOtherShape = 3, ofSlowness = 6, ofImpossibility = 1000;
constexpr int ofEightThreads = 3, ofLessSharing = 1, ofStride = 4, ofSameShape = 12;
constexpr int ofAnyBlock = 3, ofSharedApart = 8, ofFusingLargeBlocks = 6, ofTwiceTheSpeed = -3;
constexpr int ofAddresses = 1, ofControlFlow = 2, ofSearch = 0, ofNeighbours = -1, ofLittleRoom = 3;
constexpr int ofOneDimension = 4;
constexpr int ofUnaligned = 1, ofExchange = 2, ofDisjoint = 2, ofPairs = 1, ofSplit = -3;
constexpr int ofUnalignedTiles = 2, ofReaders = -2, ofMarch = 0, ofCommon = -3;
constexpr int ofRows = -3, ofLaunch = -2, ofJoinedTiles = -3;
constexpr double littleRoom = 1.25; ///< the gain in resident blocks that is small

/// Returns what a factor adds to the tier; see the header.
int rungOf(uint32_t factor) {
  switch (factor) {
  case 1:
  case 2:
    return 0;
  case 4:
    return 2;
  case 3:
  case 8:
    return 3;
  case 6:
  case 7:
  case 9:
    return 4;
  default:
    return 6;
  }
}

/// Returns what the bytes of neighbours add to the tier that become one access or two.
int rungOfWidth(uint32_t bytes) { return bytes == widestAccess ? 0 : bytes < widestAccess ? 1 : 2; }

/// Returns what joined threads add to the tier of rows in registers: with two neighbours, a thread
/// has twice as many registers, and wider accesses; more of them seldom leave any.
int rungOfRows(const Grain &grain) {
  uint32_t joined = product(grain.thread);
  return (joined == 1   ? 0
          : joined == 2 ? 1
                        : 3) +
         (joined != 1 && !grain.contiguous ? 1 : 0) + (grain.words.contains("exchange") ? 1 : 0);
}

/// Returns, per dimension, the share of the accesses (including shared memory) that blocks
/// differing only in that dimension have in common; 0 for a dimension that is not read.
std::array<double, 3> sharedAcross(const Statistics &statistics) {
  std::array<double, 3> common = {};
  double all = 0;
  for (const auto &[mask, counts] : statistics.work) {
    double accesses = 0;
    for (Work kind : {Work::Global, Work::Shared})
      accesses += counts[unsigned(kind)].at(assumedTrips);
    all += accesses;
    for (unsigned d = 0; d < 3; ++d)
      if (statistics.use.block[d] && !(mask & (uint8_t(Dependence::BlockX) << d)))
        common[d] += accesses;
  }
  for (double &part : common)
    part = all ? part / all : 0;
  return common;
}

/// Returns whether as many blocks are fused as a thread runs neighbours.
bool keepsBlockSize(const Grain &grain) {
  return grain.contiguous && product(grain.fuse) != 1 && grain.fuse == grain.thread;
}

bool exchangesInWarps(const Grain &grain) { return grain.words.contains("exchange"); }
/// Returns whether threads of one block that lie apart are joined, and several blocks are fused:
/// few warps, or one, are a block of the program then, and read as its threads do.
bool hasBlockInWarp(const Grain &grain) {
  return exchangesInWarps(grain) && !grain.contiguous && product(grain.fuse) != 1;
}
bool splitsThreads(const Grain &grain) { return grain.words.contains("split"); }
bool keepsRows(const Grain &grain) {
  auto rows = grain.words.find("rows");
  return rows != grain.words.end() && rows->second == "registers";
}
/// Returns whether the grain is the program's code for one whole launch, on pairs or not.
bool isForLaunch(const Grain &grain) {
  Grain rest = grain;
  rest.words.erase("arithmetic");
  return grain.known.block && !grain.known.arguments.empty() && rest == Grain{.known = grain.known};
}
bool searches(const Grain &grain) {
  auto unroll = grain.words.find("unroll");
  return unroll != grain.words.end() && unroll->second == "search";
}
bool hasStaging(const Grain &grain, std::string_view word) {
  auto staging = grain.words.find("staging");
  return staging != grain.words.end() && staging->second == word;
}
bool transposesAccesses(const Grain &grain) { return hasStaging(grain, "transposed"); }
bool stagesLoops(const Grain &grain) { return hasStaging(grain, "loops"); }
bool joinsReaders(const Grain &grain) {
  return grain.contiguous && grain.thread[0] != 1 && grain.thread[1] != 1 && stepsOf(grain) == 1;
}

} // namespace

std::vector<bool> regrain::candidatesIn(const Grain &grain) {
  std::vector<bool> result;
  for (const GrainKey &key : grainKeys())
    if (!key.candidates.empty())
      result.push_back(llvm::any_of(piecesOf(grain, key), [&](const std::string &piece) {
        return llvm::any_of(key.candidates, [&](const KeyCandidate &candidate) {
          return candidate.piece == piece;
        });
      }));
  return result;
}

Tiers::Tiers(const Statistics &statistics)
    : statistics(statistics), original(predictCycles(statistics, Grain())),
      common(sharedAcross(statistics)) {
  if (statistics.seenBlock)
    seenThreads = product(*statistics.seenBlock);
}

Tiers::Place Tiers::placeOf(const Grain &grain) const {
  // The model takes all shared memory of joined blocks for their own. They keep their order.
  if (llvm::is_contained(statistics.joinedTiles, grain))
    return {ofJoinedTiles, 0};
  double cycles = predictCycles(statistics, grain);
  int tier = tierOf(grain) + tierOfLikeness(grain);
  // The model does not see that an exchange in registers takes no accesses and barriers, that rows
  // in registers take no accesses either, and a known launch few conditions, that
  // lanes which share a thread, or access memory for each other, access neighbouring elements, that
  // threads which take neighbours have wide accesses, that loops read tiles, that common arrays are
  // cleared and flushed once, and that steps keep a window in registers.
  bool isPredicted = !keepsRows(grain) && !isForLaunch(grain) && !joinsReaders(grain) &&
                     !exchangesInWarps(grain) && !splitsThreads(grain) &&
                     !transposesAccesses(grain) && !stagesLoops(grain) && stepsOf(grain) == 1 &&
                     neighboursPerThread(grain) == 1 && grain.shared != SharedArrays::Common;
  if (isPredicted || std::isinf(cycles))
    tier += tierOfPrediction(cycles);
  // Nor does it tell steps apart. They keep the order in which they are proposed, and come last in
  // their tier: reshaped blocks that are joined were faster for some stencils of three dimensions.
  // Warps that share one are proposed in the order of how few rows are under way, and common arrays
  // in that of how many blocks share one flush.
  constexpr double last = std::numeric_limits<double>::max();
  if (splitsWarps(grain) || grain.shared == SharedArrays::Common)
    return {tier, 0};
  return {tier, stepsOf(grain) == 1 ? cycles : last};
}

bool Tiers::isTiny() const { return seenThreads && seenThreads < tinyBlock; }

bool Tiers::joinsAccesses() const {
  return statistics.alignsAccesses && statistics.joinable.isAny();
}

bool Tiers::isBetterForBlock(const Grain &grain) const {
  if (grain.shape)
    return false;
  bool isWarp =
      seenThreads && seenThreads * product(grain.fuse) <= warpThreads * product(grain.thread);
  return (statistics.gainsByBlock && product(grain.fuse) == 1) ||
         (statistics.meetsInWarps && isWarp);
}

std::optional<Grain> Tiers::boundedForm(Grain grain) const {
  if (!statistics.bound || grain.shape || grain.bound || grain.known.block)
    return std::nullopt;
  // Arrays become registers if loops over them are unrolled.
  double ofArrays = double(statistics.arrayBytes) / sizeof(uint32_t) * product(grain.block) *
                    product(grain.thread);
  if (guessRegisters(statistics, grain) + ofArrays <= manyRegisters)
    return std::nullopt;
  grain.bound = std::max(1u, statistics.bound * product(grain.fuse) / product(grain.thread));
  return findContradiction(grain).empty() ? std::optional(grain) : std::nullopt;
}

/// Returns whether blocks of the grain's shape can march. Those that are joined side by side read
/// as little again, and may be as fast.
bool Tiers::isMarchedShape(const Grain &grain) const {
  return llvm::any_of(statistics.marched,
                      [&](const Grain &march) { return march.shape == grain.shape; });
}

/// Returns the tier of a grain whose factors its form decides, whatever they are; nothing for
/// others.
std::optional<int> Tiers::tierOfForm(const Grain &grain) const {
  if (keepsRows(grain))
    return ofRows + rungOfRows(grain);
  if (isForLaunch(grain))
    return ofLaunch;
  if (hasBlockInWarp(grain))
    return 0;
  if (exchangesInWarps(grain))
    return grain.known.pointers && product(grain.thread) == grain.thread[0] ? 0 : ofExchange;
  if (splitsThreads(grain)) {
    bool isOfBlocks = lanesPerThread(grain) > warpThreads || splitsWarps(grain);
    return ofSplit + (isOfBlocks || product(*grain.shape) == usualBlock ? 0 : 1);
  }
  if (joinsReaders(grain))
    return ofReaders + (grain.known.pointers || !joinsAccesses() ? 0 : ofUnaligned);
  if (stagesLoops(grain))
    return ofSplit + (grain.known.pointers ? 0 : ofUnalignedTiles);
  if (transposesAccesses(grain))
    return ofSplit + (product(*grain.shape) == usualBlock * product(grain.thread) ? 0 : 1);
  if (neighboursPerThread(grain) != 1)
    return ofSplit;
  // With neighbours in a thread, the lanes of a warp flush elements at a distance, each to another
  // sector: a histogram gained 18 in place of 30, and 3 in place of 12 where fewer blocks are
  // joined.
  if (grain.shared == SharedArrays::Common)
    return ofCommon + (grain.contiguous ? 1 : 0);
  if (stepsOf(grain) != 1)
    return ofMarch;
  return std::nullopt;
}

int Tiers::tierOf(const Grain &grain) const {
  if (std::optional<int> ofForm = tierOfForm(grain))
    return *ofForm;
  int tier = 0, steps = 0;
  Factors fuse = keepsBlockSize(grain) ? Factors{1, 1, 1} : grain.fuse;
  for (const Factors &factors : {grain.block, grain.thread, fuse})
    for (uint32_t factor : factors) {
      tier += rungOf(factor);
      steps += factor != 1;
    }
  tier += ofEightThreads * llvm::count(grain.thread, 8u);
  if (uint32_t joined = grain.thread[0]; grain.contiguous && grain.known.pointers)
    tier += rungOfWidth(joined * statistics.joinable.least) - rungOf(joined) -
            (joined == 8 ? ofEightThreads : 0);
  if (keepsBlockSize(grain) && (statistics.use.block[1] || statistics.use.block[2]))
    tier += ofOneDimension;
  if (grain.shape) {
    tier += product(*grain.shape) == usualBlock ? 0 : ofOtherShape;
    ++steps;
  }
  if (grain.contiguous && grain.words.contains("arithmetic")) {
    tier += ofPairs;
  } else if (llvm::is_contained(candidatesIn(grain), true)) {
    tier += grain.words.empty() ? ofAddresses : searches(grain) ? ofSearch : ofControlFlow;
    ++steps;
  }
  if (grain.known.disjoint) {
    tier += ofDisjoint;
    ++steps;
  }
  if (grain.takesLentMemory() && gainWithoutShared(statistics, grain) < littleRoom)
    tier += ofLittleRoom;
  for (unsigned d = 0; d < 3; ++d)
    if (grain.block[d] != 1 && common[d] + 0.1 < *llvm::max_element(common))
      tier += ofLessSharing;
  for (unsigned d = 0; grain.shape && d < 3; ++d)
    if (grain.block[d] != 1 && (*grain.shape)[d] == 1)
      tier += ofNeighbours - (isMarchedShape(grain) ? ofCombining : 0);
  return tier + (steps - 1) * ofCombining;
}

int Tiers::tierOfPrediction(double cycles) const {
  if (std::isinf(cycles))
    return ofImpossibility;
  if (cycles >= 1.25 * original)
    return ofSlowness;
  return isTiny() && cycles < original ? int(std::log2(original / cycles) * ofTwiceTheSpeed) : 0;
}

/// Returns the addition for a grain that is nearly the same as another grain, or as the original.
int Tiers::tierOfLikeness(const Grain &grain) const {
  int tier = 0;
  if (statistics.isWidenable && grain.thread[0] != 1 && product(grain.thread) == grain.thread[0] &&
      grain == Grain{.block = grain.block,
                     .thread = grain.thread,
                     .bound = grain.bound,
                     .known = grain.known})
    tier += ofStride;
  if (boundedForm(grain))
    tier += ofAnyBlock;
  if (isBetterForBlock(grain) && !grain.known.block)
    tier += ofAnyBlock;
  bool areMarchedRows = stepsOf(grain) != 1 && grain.thread[0] == 1;
  if (grain.contiguous && !grain.known.pointers && joinsAccesses() && !areMarchedRows)
    tier += ofUnaligned;
  if (grain.shared == SharedArrays::Apart)
    tier += ofSharedApart;
  if (grain.shape && !splitsThreads(grain) && grain.shape == statistics.seenBlock)
    tier += ofSameShape;
  bool isLarger = product(grain.fuse) != 1 && !keepsBlockSize(grain) && !hasBlockInWarp(grain);
  if (isLarger && seenThreads >= smallBlock)
    tier += ofFusingLargeBlocks;
  return tier;
}
