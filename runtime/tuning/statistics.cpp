//===- statistics.cpp - From timings to verdicts --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace regrain {
namespace {

double ratioOf(const TimedPair &pair) {
  double ratio = pair.original / pair.candidate;
  return std::isfinite(ratio) && ratio > 0 ? ratio : 1;
}

double medianOfSorted(std::span<const double> sorted) {
  size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// Returns how many of `count` sorted values are below the interval of the median; as
/// many are above. The interval begins with the value of the highest rank that the median
/// is below with a probability of at most `error`, by Binomial(count, 1/2); or with the
/// first value.
size_t outside(size_t count, double error) {
  double logTerm = -static_cast<double>(count) * std::log(2.0); // for `rank` lower values
  double tail = std::exp(logTerm);
  size_t rank = 0;
  while (tail <= error) {
    logTerm += std::log(static_cast<double>(count - rank) / static_cast<double>(rank + 1));
    tail += std::exp(logTerm);
    ++rank;
  }
  return rank > 0 ? rank - 1 : 0;
}

/// Returns the value that Student's t exceeds with a probability of 0.025. From ten degrees of
/// freedom on, the value for ten serves: it is too large by at most an eighth.
double studentsT(size_t freedom) {
  constexpr double quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571,
                                  2.447,  2.365, 2.306, 2.262, 2.228};
  return quantiles[std::min(freedom, std::size(quantiles)) - 1];
}

/// Extends the interval to 1, so that the gain neither wins nor loses.
Gain undecided(Gain gain) {
  gain.low = std::min(gain.low, 1.0);
  gain.high = std::max(gain.high, 1.0);
  return gain;
}

} // namespace

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return medianOfSorted(values);
}

TimedPair medians(std::span<const TimedPair> pairs) {
  std::vector<double> originals, candidates;
  for (const TimedPair &pair : pairs) {
    originals.push_back(pair.original);
    candidates.push_back(pair.candidate);
  }
  return {median(std::move(originals)), median(std::move(candidates))};
}

bool areEnough(size_t pairs, double error) { return std::exp2(-double(pairs)) <= error; }

Gain gainOf(std::span<const TimedPair> pairs, double error) {
  std::vector<double> ratios;
  for (const TimedPair &pair : pairs)
    ratios.push_back(ratioOf(pair));
  std::ranges::sort(ratios);
  size_t cut = outside(ratios.size(), error);
  Gain gain = {medianOfSorted(ratios), ratios[cut], ratios[ratios.size() - 1 - cut]};
  return areEnough(ratios.size(), error) ? gain : undecided(gain);
}

void Scatter::add(std::span<const double> microseconds) {
  if (microseconds.size() < 2)
    return;
  double mean = 0;
  for (double time : microseconds)
    mean += std::log(time) / double(microseconds.size());
  for (double time : microseconds)
    squares += std::pow(std::log(time) - mean, 2);
  degrees += microseconds.size() - 1;
}

double Scatter::deviation() const {
  return degrees ? std::max(std::sqrt(squares / double(degrees)), least) : least;
}

double halfWidth(size_t pairs, double deviation, size_t freedom) {
  return studentsT(freedom) * deviation * std::sqrt(2.0 / double(pairs));
}

Gain gainOfFew(std::span<const TimedPair> pairs, const Scatter &scatter) {
  double mean = 0;
  for (const TimedPair &pair : pairs)
    mean += std::log(ratioOf(pair)) / double(pairs.size());
  if (scatter.freedom() == 0) {
    Gain range = {std::exp(mean), ratioOf(pairs.front()), ratioOf(pairs.front())};
    for (const TimedPair &pair : pairs)
      range = {range.ratio, std::min(range.low, ratioOf(pair)),
               std::max(range.high, ratioOf(pair))};
    return undecided(range);
  }
  double half = halfWidth(pairs.size(), scatter.deviation(), scatter.freedom());
  return {std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

Gain summedGain(std::span<const SampledLaunch> samples) {
  double original = 0, candidate = 0, longer = 0, shorter = 0; // the last two squared
  for (const SampledLaunch &sample : samples) {
    double time = sample.weight * sample.originalMicroseconds;
    double middle = time / sample.gain.ratio;
    original += time;
    candidate += middle;
    longer += std::pow(time / sample.gain.low - middle, 2);
    shorter += std::pow(middle - time / sample.gain.high, 2);
  }
  return {original / candidate, original / (candidate + std::sqrt(longer)),
          original / (candidate - std::sqrt(shorter))};
}

bool wins(const Gain &gain, double least) { return gain.low > least; }

Halving::Halving(size_t candidates)
    : living(candidates), pairsOfRound(candidates > 1 ? firstPairs : mostPairs) {
  std::iota(living.begin(), living.end(), size_t(0));
}

bool Halving::next(std::span<const Gain> gains) {
  std::vector<size_t> order(living.size()); // positions in `living`, the best first
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return gains[a].ratio != gains[b].ratio ? gains[a].ratio > gains[b].ratio : a < b;
  });
  bool isLast = living.size() <= 1 && pairsOfRound == mostPairs;
  bool someCanWin =
      pairsOfRound < leastPairs ||
      std::ranges::any_of(gains, [](const Gain &gain) { return gain.high > leastGain; });
  bool goesOn = someCanWin && !isLast && !living.empty();
  if (goesOn) {
    double bestLow = gains[order.front()].low;
    std::erase_if(order, [&](size_t i) { return gains[i].high < bestLow; });
    order.resize((order.size() + 1) / 2);
    pairsOfRound = order.size() == 1 ? mostPairs : std::min(2 * pairsOfRound, mostPairs);
  }
  std::vector<size_t> left;
  for (size_t i : order)
    left.push_back(living[i]);
  living = std::move(left);
  return goesOn;
}

} // namespace regrain
