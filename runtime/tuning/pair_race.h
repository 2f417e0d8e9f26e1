//===- pair_race.h - Which of many short launches is fastest ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The race knows no device and no clock.
//
// Fresh pairs then say whether the best one is faster. Where the first of them do not, although
// they lie on the right side, twice as many as before follow, twice at most, as far as there is
// time: the intervals of small gains are wider than the gains. Each look at the pairs has its own
// part of the error that the decision may have.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/statistics.h"

#include <optional>
#include <vector>

namespace regrain {

/// What pairs of launches run on.
class PairTrack {
public:
  virtual ~PairTrack() = default;
  /// Adds pairs of the original and the candidate; returns false if there is no time for all.
  virtual bool time(size_t candidate, uint32_t count, std::vector<TimedPair> &pairs) = 0;
  /// Returns whether there is time for another round.
  virtual bool paysForRound() const = 0;
  /// Returns whether there is time for so many more fresh pairs.
  virtual bool paysForFresh(uint32_t pairs) const = 0;
};

/// Times the candidates against the original by Halving, until one is left or the time is spent.
/// Returns the pairs of each.
[[nodiscard]] std::vector<std::vector<TimedPair>> racePairs(PairTrack &track, size_t candidates);

struct FreshResult {
  std::vector<TimedPair> pairs;
  std::optional<Gain> gain; ///< of all pairs; nothing if there are too few
};

/// The looks at the fresh pairs of a candidate.
inline constexpr unsigned mostLooks = 3;

/// Times fresh pairs of the candidate, `first` at the first look, until its gain is proved to
/// exceed `least`, seems not to, or the time is spent. The end of the interval is on the wrong side
/// of the truth with a probability of at most `error`, however many looks there are.
[[nodiscard]] FreshResult confirmByPairs(PairTrack &track, size_t candidate, double least,
                                         double error, uint32_t first = confirmingPairs);

} // namespace regrain
