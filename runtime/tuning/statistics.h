//===- statistics.h - From timings to verdicts ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This needs neither devices nor clocks, and has no state. Times are microseconds of
// one launch, in pairs: the original and the candidate one after the other on the
// same data, so that what disturbs both cancels in the ratio. The order alternates
// from pair to pair, so that drift within a pair cancels in the median.
//
// The best of many candidates looks faster than it is, because it was selected by
// its timings. Those timings therefore never decide: the caller times what seems
// fastest with `confirmingPairs` fresh pairs on each sampled launch, and a candidate is
// chosen only if the fresh pairs win (standing.h). If no candidate is faster, the choice
// of a class changes with a probability below `errorOfDecision` at each sample, for any
// number of candidates.
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

/// Returns the median; for an even number, the mean of the two in the middle.
/// Requires at least one value.
[[nodiscard]] double median(std::vector<double> values);

/// Returns the median of the originals' times and that of the candidates'.
/// Requires at least one pair.
[[nodiscard]] TimedPair medians(std::span<const TimedPair> pairs);

/// With fewer pairs, no interval has a confidence of 95 %.
inline constexpr size_t leastPairs = 6;

/// The probability with which each end of an interval may be on the wrong side of the truth.
inline constexpr double errorOfDecision = 0.025;

/// Returns the median of the pairs' ratios and its distribution-free interval, each end
/// of which is wrong with a probability of at most `error`, by order statistics of the
/// binomial distribution (Conover, Practical Nonparametric Statistics, 3.2). With too
/// few pairs for that, the interval is their range extended to 1, so that they neither
/// win nor lose. A pair that the clock did not resolve (a time is not positive) counts
/// as equal. Requires at least one pair.
[[nodiscard]] Gain gainOf(std::span<const TimedPair> pairs, double error = errorOfDecision);

/// Returns whether so many pairs can have an interval of this error.
[[nodiscard]] bool areEnough(size_t pairs, double error);

/// One sampled launch of a class.
struct SampledLaunch {
  double weight; ///< number of launches that it represents
  double originalMicroseconds;
  Gain gain;
};

/// Returns the gain in the summed time of all launches that the samples represent:
/// weighted sums of original and candidate times. The interval combines the samples'
/// half widths as those of independent estimates, each side separately (Zou, Donner
/// 2008, "Construction of confidence limits about effect measures"). Requires at least
/// one sample.
[[nodiscard]] Gain summedGain(std::span<const SampledLaunch> samples);

inline constexpr double leastGain = 1.01;
/// The same for code of the vendor's compiler, which the program would have otherwise: it only has
/// to be faster, by more than timings differ between equal code.
inline constexpr double leastVendorGain = 1.002;
/// An interval above this says that a candidate is not slower than the original, but for less than
/// what timings of equal code differ by.
inline constexpr double notSlower = 0.995;
/// The number of fresh pairs of a candidate on a sampled launch. With 40, an interval, whose
/// ends are single timings, comes close to the errors that are asked of it.
inline constexpr uint32_t confirmingPairs = 40;

/// Returns whether a candidate wins: its interval lies beyond the least gain that counts.
[[nodiscard]] bool wins(const Gain &gain, double least = leastGain);

/// How far the times of launches of one code on the same data lie apart: the common standard
/// deviation of their logarithms, from codes that were launched more than once. Drift during the
/// measurement counts as scatter, which only widens intervals.
class Scatter {
public:
  /// The least deviation that is assumed: clocks and caches are never equal twice.
  static constexpr double least = 0.002;

  /// Adds the times of launches of one code, all of which are positive.
  void add(std::span<const double> microseconds);

  [[nodiscard]] double deviation() const;
  /// Returns the degrees of freedom of the deviation; 0 if no code was launched twice.
  [[nodiscard]] size_t freedom() const { return degrees; }

private:
  double squares = 0;
  size_t degrees = 0;
};

/// The least number of fresh pairs of long launches: their order alternates, so that drift cancels.
inline constexpr uint32_t leastFewPairs = 2;

/// Returns half the width of the 95 % interval of the logarithm of a gain: that of Student's t for
/// the mean of `pairs` pairs of launches whose deviation was found with `freedom`, which is not 0.
[[nodiscard]] double halfWidth(size_t pairs, double deviation, size_t freedom);

/// Returns the mean ratio of few pairs of long launches, whose deviation is that of `scatter`, and
/// its 95 % interval. A long launch averages over disturbances, so that its logarithm is close to
/// normal, and a few pairs tell what order statistics need six for. If the scatter is not known,
/// the interval is the range of the pairs extended to 1. Requires at least one pair.
[[nodiscard]] Gain gainOfFew(std::span<const TimedPair> pairs, const Scatter &scatter);

/// Selects the candidates to time by successive halving (Jamieson, Talwalkar 2016):
/// all start; after each round, those that can no longer be the best (their interval
/// lies below the best one's) and the slower half of the others are eliminated, and
/// the rest is timed with twice the pairs, up to `mostPairs`. The best of a round
/// always survives it. The selection ends early if no remaining candidate can win.
///
/// N candidates cost at most 25 N + 40 log2 N + 40 pairs: 600 for 24, 1560 for 64.
class Halving {
public:
  static constexpr uint32_t firstPairs = 5, mostPairs = 40;

  explicit Halving(size_t candidates);

  /// These return the candidates to time in this round, the best of the last round
  /// first, and the number of new pairs for each.
  [[nodiscard]] const std::vector<size_t> &alive() const { return living; }
  [[nodiscard]] uint32_t pairs() const { return pairsOfRound; }
  /// gains[i] belongs to alive()[i] and comes from this round's pairs alone. Begins the
  /// next round; returns false if there is none: one candidate is left and has been
  /// timed with the maximum of pairs, or none can win. alive() is then sorted, the best
  /// first.
  bool next(std::span<const Gain> gains);

private:
  std::vector<size_t> living;
  uint32_t pairsOfRound;
};

} // namespace regrain
