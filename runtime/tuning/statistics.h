//===- statistics.h - From timings to verdicts ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free of devices, clocks and state. Times are microseconds of one launch, in pairs:
// the original and the candidate one after the other on the same data, so that what
// disturbs both cancels in the ratio.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <cstdint>
#include <span>
#include <vector>

namespace regrain {

struct TimedPair {
  double original, candidate; ///< microseconds, positive
};

/// The median; of an even number, the mean of the two in the middle. Not empty.
[[nodiscard]] double median(std::vector<double> values);

/// The median of the pairs' ratios and its distribution-free 95 % interval by order
/// statistics of the binomial distribution (Conover, Practical Nonparametric
/// Statistics, 3.2). With fewer than 6 pairs the interval is their range. Not empty.
[[nodiscard]] Gain gainOf(std::span<const TimedPair> pairs);

/// One sampled launch of a class.
struct SampledLaunch {
  double weight; ///< launches that it stands for
  double originalMicroseconds;
  Gain gain;
};

/// The gain in the summed time of all launches that the samples stand for: weighted
/// sums of original and candidate times, the interval from the samples' intervals.
/// Not empty.
[[nodiscard]] Gain summedGain(std::span<const SampledLaunch> samples);

inline constexpr double leastGain = 1.01;

/// Whether a candidate wins: its interval lies beyond `leastGain`.
[[nodiscard]] bool wins(const Gain &gain);

/// Which candidates are timed on, by successive halving (Jamieson, Talwalkar 2016):
/// all start; after each round those that cannot be the best any more (their interval
/// lies below the best one's), and the slower half of the others, fall out, and what
/// is left is timed with twice the pairs. `best` survives always.
class Halving {
public:
  explicit Halving(size_t candidates);

  /// Candidates to time in this round, and how many pairs each gets.
  [[nodiscard]] const std::vector<size_t> &alive() const { return living; }
  [[nodiscard]] uint32_t pairs() const { return pairsOfRound; }
  /// gains[i] belongs to alive()[i]. Begins the next round; false where it was the
  /// last: one is left and has been timed with the most pairs.
  bool next(std::span<const Gain> gains);

private:
  std::vector<size_t> living;
  uint32_t pairsOfRound;
};

} // namespace regrain
