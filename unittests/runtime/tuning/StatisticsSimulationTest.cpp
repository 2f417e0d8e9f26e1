//===- tuning/StatisticsSimulationTest.cpp - Errors of verdicts -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complete tunings of a class are simulated with drawn timings, as the
// measuring loop makes them: halving on the first launch, then fresh pairs on
// each sampled launch.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/statistics.h"
#include "unittests/runtime/tuning/Draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace regrain;

namespace {

/// The times are never much below their minimum and occasionally far above: 1.5 %
/// of ordinary noise and, in one launch of twelve, a disturbance of 20 % on
/// average. The device's clock drifts, for both launches of a pair alike.
class Device {
public:
  explicit Device(uint64_t seed) : draw(seed) {}
  TimedPair pair(double original, double candidate) {
    clock *= std::exp(0.01 * draw.normal());
    return {time(original), time(candidate)};
  }

private:
  double time(double least) {
    double disturbed = draw.uniform() < 1.0 / 12 ? -0.2 * std::log(draw.uniform()) : 0;
    return least * clock * (1 + std::abs(0.025 * draw.normal()) + disturbed);
  }
  Draw draw;
  double clock = 1;
};

std::vector<TimedPair> pairsOf(Device &device, size_t count, double original, double candidate) {
  std::vector<TimedPair> pairs;
  for (size_t i = 0; i < count; ++i)
    pairs.push_back(device.pair(original, candidate));
  return pairs;
}

struct Tuning {
  size_t best;       ///< the survivor of Halving
  bool confirmed;    ///< it won in the pairs that selected it, and in fresh ones
  Gain confirmation; ///< of the fresh pairs
};

/// `times[i]` is candidate i's; the original takes 10.
Tuning tune(Device &device, const std::vector<double> &times, size_t launches) {
  Halving halving(times.size());
  std::vector<Gain> gains;
  do {
    gains.clear();
    for (size_t candidate : halving.alive())
      gains.push_back(gainOf(pairsOf(device, halving.pairs(), 10, times[candidate])));
  } while (halving.next(gains));
  Tuning tuning = {};
  tuning.best = halving.alive().front();
  Gain best = *std::ranges::max_element(gains, {}, &Gain::ratio);
  std::vector<SampledLaunch> samples;
  for (size_t launch = 0; launch < launches; ++launch) {
    double share = 1.0 / double(launch + 1); // the work shrinks
    auto fresh = pairsOf(device, confirmingPairs, 10 * share, times[tuning.best] * share);
    samples.push_back({1, 10 * share, gainOf(fresh)});
  }
  tuning.confirmation = summedGain(samples);
  tuning.confirmed = wins(best) && wins(tuning.confirmation);
  return tuning;
}

constexpr size_t runs = 2000;
constexpr size_t any = ~size_t(0); ///< whichever candidate

size_t confirmedOf(uint64_t seed, const std::vector<double> &times, size_t launches,
                   size_t planted) {
  size_t count = 0;
  for (size_t run = 0; run < runs; ++run) {
    Device device(seed + run);
    Tuning tuning = tune(device, times, launches);
    count += tuning.confirmed && (planted == any || tuning.best == planted);
  }
  return count;
}

TEST(Simulation, NoDifference_FalseWinnersBelowOneInAThousand) {
  EXPECT_LE(confirmedOf(1, std::vector<double>(1, 10), 1, any), runs / 1000);
  EXPECT_LE(confirmedOf(2, std::vector<double>(24, 10), 1, any), runs / 1000);
  EXPECT_LE(confirmedOf(3, std::vector<double>(64, 10), 1, any), runs / 1000);
  EXPECT_LE(confirmedOf(4, std::vector<double>(24, 10), 6, any), runs / 1000);
}

TEST(Simulation, WhereTheGainIsTheLeast_WinnersBelowTwoPointFivePercent) {
  EXPECT_LE(confirmedOf(5, std::vector<double>(24, 10 / leastGain), 1, any), runs / 40);
}

TEST(Simulation, GainOfThreePercent_IsFound) {
  EXPECT_GE(confirmedOf(6, {10 / 1.03}, 1, 0), runs * 90 / 100);
  std::vector<double> times(24, 10);
  times[17] = 10 / 1.03;
  EXPECT_GE(confirmedOf(7, times, 1, 17), runs * 90 / 100);
  EXPECT_GE(confirmedOf(8, times, 6, 17), runs * 90 / 100);
}

TEST(Simulation, GainOfTenPercent_IsFoundNearlyAlways) {
  std::vector<double> times(64, 10);
  for (size_t i = 0; i < times.size(); ++i)
    times[i] += 0.05 * double(i);
  times[40] = 10 / 1.1;
  EXPECT_GE(confirmedOf(9, times, 1, 40), runs * 99 / 100);
}

TEST(Simulation, Intervals_HoldTheTruth) {
  for (size_t launches : {1, 3, 8}) {
    size_t held = 0;
    for (size_t run = 0; run < runs; ++run) {
      Device device(100000 * launches + run);
      Gain gain = tune(device, {10 / 1.04}, launches).confirmation;
      held += gain.low <= 1.04 && 1.04 <= gain.high;
    }
    EXPECT_GE(held, runs * 94 / 100) << launches;
  }
}

} // namespace
