//===- statistics.h - From timings to verdicts ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free of devices, clocks and state. Times are microseconds of one launch, in pairs:
// the original and the candidate one after the other on the same data, so that what
// disturbs both cancels in the ratio. Which of the two goes first alternates from
// pair to pair: what drifts within a pair then cancels in the median.
//
// The best of many candidates looks faster than it is, because it was picked for its
// timings. So what picked it never decides: the caller times the survivor of Halving
// with `confirmingPairs` fresh pairs on each sampled launch, and the candidate is
// chosen only where the summed gain of the fresh pairs wins as well. Where nothing
// is faster, a class then changes hands with a probability below 0.025 for each
// decision, however many candidates there were.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace regrain {

struct TimedPair {
  double original, candidate; ///< microseconds, positive
};

/// The median; of an even number, the mean of the two in the middle. Not empty.
[[nodiscard]] double median(std::vector<double> values);

/// The median of the originals' times and that of the candidates'. Not empty.
[[nodiscard]] TimedPair medians(std::span<const TimedPair> pairs);

/// With fewer pairs no interval can be told with 95 % confidence.
inline constexpr size_t leastPairs = 6;

/// The median of the pairs' ratios and its distribution-free 95 % interval by order
/// statistics of the binomial distribution (Conover, Practical Nonparametric
/// Statistics, 3.2). With fewer than `leastPairs` the interval is their range and
/// reaches to 1 in any case, so that so few neither win nor lose. A pair that the
/// clock did not resolve (a time that is not positive) counts as equal. Not empty.
[[nodiscard]] Gain gainOf(std::span<const TimedPair> pairs);

/// One sampled launch of a class.
struct SampledLaunch {
  double weight; ///< launches that it stands for
  double originalMicroseconds;
  Gain gain;
};

/// The gain in the summed time of all launches that the samples stand for: weighted
/// sums of original and candidate times. The interval puts the samples' half widths
/// together as those of independent estimates, each side for itself (Zou, Donner 2008,
/// "Construction of confidence limits about effect measures"). Not empty.
[[nodiscard]] Gain summedGain(std::span<const SampledLaunch> samples);

inline constexpr double leastGain = 1.01;
/// Fresh pairs on a sampled launch, for the candidate that Halving leaves: with 40 the
/// interval, whose ends are single timings, comes closest to 95 %.
inline constexpr uint32_t confirmingPairs = 40;

/// Whether a candidate wins: its interval lies beyond `leastGain`.
[[nodiscard]] bool wins(const Gain &gain);

/// Which candidates are timed on, by successive halving (Jamieson, Talwalkar 2016):
/// all start; after each round those that cannot be the best any more (their interval
/// lies below the best one's), and the slower half of the others, fall out, and what
/// is left is timed with twice the pairs, up to `mostPairs`. The best of a round
/// always survives it. Rounds end early where no candidate left can win.
///
/// N candidates cost at most 25 N + 40 log2 N + 40 pairs: 600 for 24, 1560 for 64.
class Halving {
public:
  static constexpr uint32_t firstPairs = 5, mostPairs = 40;

  explicit Halving(size_t candidates);

  /// Candidates to time in this round, best of the last round first, and how many new
  /// pairs each gets.
  [[nodiscard]] const std::vector<size_t> &alive() const { return living; }
  [[nodiscard]] uint32_t pairs() const { return pairsOfRound; }
  /// gains[i] belongs to alive()[i] and comes from this round's pairs alone. Begins the
  /// next round; false where there is none: one is left and has been timed with the
  /// most pairs, or none can win. alive() is then sorted, the best first.
  bool next(std::span<const Gain> gains);

private:
  std::vector<size_t> living;
  uint32_t pairsOfRound;
};

} // namespace regrain
