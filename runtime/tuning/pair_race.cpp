//===- pair_race.cpp - Which of many short launches is fastest ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/pair_race.h"

namespace regrain {

std::vector<std::vector<TimedPair>> racePairs(PairTrack &track, size_t candidates) {
  std::vector<std::vector<TimedPair>> all(candidates);
  Halving halving(candidates);
  bool goesOn = candidates > 0;
  while (goesOn) {
    std::vector<Gain> gains;
    for (size_t index : halving.alive()) {
      std::vector<TimedPair> fresh;
      goesOn = track.time(index, halving.pairs(), fresh) && goesOn;
      gains.push_back(fresh.empty() ? Gain{} : gainOf(fresh));
      all[index].insert(all[index].end(), fresh.begin(), fresh.end());
    }
    goesOn = goesOn && track.paysForRound() && halving.next(gains);
  }
  return all;
}

FreshResult confirmByPairs(PairTrack &track, size_t candidate, double least, double error,
                           uint32_t first) {
  FreshResult result;
  uint32_t count = first;
  for (unsigned look = 1;; ++look, count *= 2) {
    bool mayLookAgain = look < mostLooks && track.paysForFresh(3 * count);
    double own = mayLookAgain ? error / 2 : error;
    error -= own;
    bool isWhole = track.time(candidate, count, result.pairs);
    if (isWhole || areEnough(result.pairs.size(), own))
      result.gain = gainOf(result.pairs, own);
    bool isUndecided = result.gain && result.gain->ratio > least && !wins(*result.gain, least);
    if (!isWhole || !mayLookAgain || !isUndecided)
      return result;
  }
}

} // namespace regrain
