//===- RankedGrains.cpp - The order of the grains of a kernel -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/RankedGrains.h"

#include "runtime/image/block_steps.h"
#include "runtime/image/thread_split.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace regrain;

namespace {

constexpr int ofLikeness = 1; ///< is added to a tier

/// Returns whether blocks accumulate in common arrays. The order of such grains is a measured one
/// (AccumulatingBlocks.cpp).
bool isCommon(const Grain &grain) { return grain.shared == SharedArrays::Common; }

/// Returns which steps of a compilation the grain takes, whatever their factors are. Grains with
/// equal steps are nearly the same.
std::vector<bool> stepsIn(const Grain &grain) {
  constexpr Factors one = {1, 1, 1};
  std::vector<bool> steps = candidatesIn(grain);
  steps.insert(steps.end(),
               {stepsOf(grain) != 1, grain.words.contains("guards"), grain.words.contains("split"),
                neighboursPerThread(grain) != 1, keptElements(grain) != 0, grain.shape.has_value(),
                grain.fuse != one, grain.block != one, grain.thread != one,
                grain.words.contains("exchange") && !grain.contiguous});
  return isCommon(grain) ? std::vector<bool>() : steps;
}

/// Returns whether the grain has more than factors.
bool hasMoreThanFactors(const Grain &grain) {
  return llvm::is_contained(candidatesIn(grain), true) || grain.shape ||
         grain.fuse != Factors{1, 1, 1} || isCommon(grain);
}

} // namespace

bool RankedGrains::Entry::operator<(const Entry &other) const {
  return std::tie(tier, cycles, order) < std::tie(other.tier, other.cycles, other.order);
}

void RankedGrains::add(const Grain &grain) {
  Tiers::Place place = tiers.placeOf(grain);
  entries.push_back({grain, place.tier, place.cycles, entries.size()});
}

/// Moves grains that take the same steps apart, except the best prediction. Grains of factors
/// alone keep their order if the prediction says little.
void RankedGrains::spread() {
  std::map<std::vector<bool>, int> known;
  for (Entry &entry : entries)
    if (tiers.isTiny() || hasMoreThanFactors(entry.grain))
      entry.tier += ofLikeness * known[stepsIn(entry.grain)]++;
}

std::vector<Grain> RankedGrains::inOrder() && {
  llvm::sort(entries);
  spread();
  llvm::sort(entries);
  std::vector<Grain> grains;
  for (Entry &entry : entries)
    grains.push_back(std::move(entry.grain));
  return grains;
}
