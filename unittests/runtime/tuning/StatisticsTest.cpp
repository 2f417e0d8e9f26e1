//===- tuning/StatisticsTest.cpp - Verdicts from recorded timings ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace regrain;

namespace {

using Pairs = std::vector<TimedPair>;

// These were recorded on a busy device: the last two times of the original were disturbed.
const Pairs plainWinner = {{10.2, 8.1}, {10.1, 8.0}, {10.3, 8.2}, {10.2, 8.1}, {10.1, 8.1},
                           {10.4, 8.2}, {10.2, 8.0}, {10.1, 8.0}, {14.9, 8.1}, {12.7, 8.3}};
// The median is faster by 1.5 %; single pairs have either order.
const Pairs noise = {{10.0, 9.6}, {10.1, 10.4}, {9.8, 9.5},  {10.6, 10.2}, {10.0, 10.3},
                     {9.9, 9.7},  {10.2, 10.1}, {10.4, 9.9}, {10.0, 10.5}, {10.3, 10.1}};

Pairs swapped(Pairs pairs) {
  for (TimedPair &pair : pairs)
    std::swap(pair.original, pair.candidate);
  return pairs;
}

TEST(Median, OddAndEven) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 9, 2}), 3);
}

TEST(GainOf, PlainWinner_Wins) {
  Gain gain = gainOf(plainWinner);
  EXPECT_DOUBLE_EQ(gain.ratio, 1.2625);
  EXPECT_DOUBLE_EQ(gain.low, 10.3 / 8.2); // the second from below: 0.0107 lies outside
  EXPECT_DOUBLE_EQ(gain.high, 12.7 / 8.3);
  EXPECT_TRUE(wins(gain));
}

TEST(GainOf, PlainLoser_Loses) {
  Gain gain = gainOf(swapped(plainWinner));
  EXPECT_LT(gain.high, 0.8);
  EXPECT_FALSE(wins(gain));
}

TEST(GainOf, FasterByNoise_KeepsTheOriginal) {
  Gain gain = gainOf(noise);
  EXPECT_GT(gain.ratio, leastGain);
  EXPECT_LT(gain.low, 1);
  EXPECT_FALSE(wins(gain));
}

TEST(GainOf, FasterByLessThanTheLeastGain_KeepsTheOriginal) {
  Gain gain = gainOf(Pairs(30, {10.05, 10}));
  EXPECT_GT(gain.low, 1);
  EXPECT_FALSE(wins(gain));
}

TEST(GainOf, OneOutlier_DoesNotDecide) {
  Pairs pairs = plainWinner;
  pairs[3].candidate = 500;
  EXPECT_TRUE(wins(gainOf(pairs)));
  Pairs loser = swapped(plainWinner);
  loser[3].original = 500;
  EXPECT_FALSE(wins(gainOf(loser)));
  EXPECT_LT(gainOf(loser).high, 1);
}

TEST(GainOf, FewPairs_NeitherWinNorLose) {
  for (size_t count = 1; count < leastPairs; ++count) {
    Gain faster = gainOf(Pairs(count, {20, 10}));
    EXPECT_EQ(faster.ratio, 2);
    EXPECT_EQ(faster.low, 1);
    EXPECT_EQ(faster.high, 2);
    EXPECT_FALSE(wins(faster));
    Gain slower = gainOf(Pairs(count, {10, 20}));
    EXPECT_EQ(slower.low, 0.5);
    EXPECT_EQ(slower.high, 1);
  }
  EXPECT_TRUE(wins(gainOf(Pairs(leastPairs, {20, 10}))));
}

TEST(GainOf, DriftOfBothSides_Cancels) {
  Pairs same, faster;
  for (int i = 0; i < 20; ++i) {
    double clock = 1 + 0.1 * i; // three times slower at the end
    double jitter = i % 2 ? 1.004 : 0.996;
    same.push_back({10 * clock * jitter, 10 * clock});
    faster.push_back({10 * clock * jitter, 9.5 * clock});
  }
  EXPECT_FALSE(wins(gainOf(same)));
  EXPECT_NEAR(gainOf(same).ratio, 1, 0.005);
  EXPECT_TRUE(wins(gainOf(faster)));
}

TEST(GainOf, DriftWithinPairs_CancelsWhereTheOrderAlternates) {
  Pairs pairs; // each launch is 2 % slower than the one before it
  double clock = 1;
  for (int i = 0; i < 20; ++i, clock *= 1.02 * 1.02)
    pairs.push_back(i % 2 ? TimedPair{clock * 1.02, clock} : TimedPair{clock, clock * 1.02});
  EXPECT_NEAR(gainOf(pairs).ratio, 1, 0.001);
  EXPECT_FALSE(wins(gainOf(pairs)));
}

TEST(GainOf, IdenticalTimes_KeepTheOriginal) {
  Gain gain = gainOf(Pairs(12, {3.5, 3.5}));
  EXPECT_EQ(gain.ratio, 1);
  EXPECT_EQ(gain.low, 1);
  EXPECT_EQ(gain.high, 1);
  EXPECT_FALSE(wins(gain));
}

TEST(GainOf, TimesThatTheClockDidNotResolve_CountAsEqual) {
  Pairs pairs(8, {0, 0});
  EXPECT_EQ(gainOf(pairs).ratio, 1);
  pairs.assign(8, {5, 0});
  EXPECT_FALSE(wins(gainOf(pairs)));
}

TEST(GainOf, IntervalOfManyPairs_MatchesTheTables) {
  // Conover, table A3: ranks of the 95 % interval of the median.
  for (auto [count, rank] : {std::pair<size_t, size_t>{6, 1},
                             {8, 1},
                             {9, 2},
                             {16, 4},
                             {20, 6},
                             {25, 8},
                             {50, 18},
                             {100, 40},
                             {5000, 2431}}) {
    Pairs pairs;
    for (size_t i = 1; i <= count; ++i)
      pairs.push_back({static_cast<double>(i), 1});
    EXPECT_EQ(gainOf(pairs).low, rank) << count;
    EXPECT_EQ(gainOf(pairs).high, count + 1 - rank) << count;
  }
}

TEST(Scatter, TimesOfSeveralCodes_HaveOneDeviation) {
  Scatter scatter;
  EXPECT_EQ(scatter.freedom(), 0u);
  scatter.add(std::vector<double>{100}); // one time tells nothing
  EXPECT_EQ(scatter.freedom(), 0u);
  scatter.add(std::vector<double>{100, 100 * std::exp(0.02)});
  EXPECT_EQ(scatter.freedom(), 1u);
  EXPECT_NEAR(scatter.deviation(), 0.02 / std::sqrt(2), 1e-9);
  scatter.add(std::vector<double>{7, 7, 7});
  EXPECT_EQ(scatter.freedom(), 3u);
  EXPECT_NEAR(scatter.deviation(), 0.02 / std::sqrt(6), 1e-9);
}

TEST(Scatter, EqualTimes_KeepTheLeastDeviation) {
  Scatter scatter;
  scatter.add(std::vector<double>(5, 100));
  EXPECT_EQ(scatter.deviation(), Scatter::least);
}

TEST(GainOfFew, Interval_IsStudents) {
  Scatter scatter;
  scatter.add(std::vector<double>{100, 100 * std::exp(0.02), 100 * std::exp(-0.02)});
  Gain gain = gainOfFew(Pairs(2, {110, 100}), scatter);
  EXPECT_NEAR(gain.ratio, 1.1, 1e-12);
  EXPECT_NEAR(std::log(gain.ratio / gain.low), 4.303 * 0.02, 1e-9); // two degrees of freedom
  EXPECT_NEAR(std::log(gain.high / gain.ratio), 4.303 * 0.02, 1e-9);
}

TEST(GainOfFew, UnknownScatter_NeitherWinsNorLoses) {
  Gain gain = gainOfFew(Pairs(3, {20, 10}), {});
  EXPECT_EQ(gain.low, 1);
  EXPECT_FALSE(wins(gain));
  EXPECT_EQ(gainOfFew(Pairs(3, {10, 20}), {}).high, 1);
}

TEST(GainOfFew, DriftWithinPairs_CancelsWhereTheOrderAlternates) {
  Scatter scatter;
  scatter.add(std::vector<double>{100, 100.1, 99.9});
  Pairs pairs = {{1, 1.02}, {1.02 * 1.02 * 1.02, 1.02 * 1.02}};
  EXPECT_NEAR(gainOfFew(pairs, scatter).ratio, 1, 1e-12);
}

TEST(SummedGain, OneSample_IsItsGain) {
  Gain gain = summedGain(std::vector<SampledLaunch>{{7, 10, {1.25, 1.2, 1.3}}});
  EXPECT_NEAR(gain.ratio, 1.25, 1e-12);
  EXPECT_NEAR(gain.low, 1.2, 1e-12);
  EXPECT_NEAR(gain.high, 1.3, 1e-12);
}

// This is like Gaussian elimination, whose launches shrink. The candidate wins the
// long ones.
TEST(SummedGain, ShrinkingWork_TheSummedTimeDecides) {
  Gain winsEarly = {1.5, 1.45, 1.55}, losesLate = {0.6, 0.55, 0.65};
  std::vector<SampledLaunch> samples = {
      {100, 40, winsEarly}, {100, 20, winsEarly}, {100, 5, losesLate}, {100, 2, losesLate}};
  Gain gain = summedGain(samples);
  EXPECT_NEAR(gain.ratio, 67.0 / (40 / 1.5 + 20 / 1.5 + 5 / 0.6 + 2 / 0.6), 1e-12);
  EXPECT_TRUE(wins(gain));
  samples[2].weight = samples[3].weight = 1500; // many more of the short ones
  EXPECT_FALSE(wins(summedGain(samples)));
  EXPECT_LT(summedGain(samples).high, 1);
}

TEST(SummedGain, ManySamples_NarrowTheInterval) {
  std::vector<SampledLaunch> samples(1, {1, 10, {1.05, 1.0, 1.1}});
  EXPECT_FALSE(wins(summedGain(samples)));
  samples.resize(9, samples.front());
  EXPECT_TRUE(wins(summedGain(samples)));
  EXPECT_NEAR(summedGain(samples).low, 1.0327, 0.0001);
}

TEST(SummedGain, ASampleOfFewPairs_HoldsTheIntervalBack) {
  Gain few = gainOf(Pairs(2, {15, 10})), sure = {1.02, 1.015, 1.025};
  Gain gain = summedGain(std::vector<SampledLaunch>{{1, 10, sure}, {1, 10, few}});
  EXPECT_GT(gain.ratio, 1.2);
  EXPECT_FALSE(wins(gain));
}

/// Runs all rounds; `pairOf` returns one pair of a candidate. Counts the pairs.
struct HalvingRun {
  std::vector<size_t> order; ///< at the end, the best first
  Gain best;
  size_t pairs = 0, mostOfOne = 0;

  HalvingRun(size_t candidates, const std::function<TimedPair(size_t)> &pairOf) {
    Halving halving(candidates);
    std::vector<Gain> gains;
    do {
      gains.clear();
      for (size_t candidate : halving.alive()) {
        Pairs round;
        for (uint32_t i = 0; i < halving.pairs(); ++i)
          round.push_back(pairOf(candidate));
        pairs += round.size();
        mostOfOne = std::max(mostOfOne, round.size());
        gains.push_back(gainOf(round));
      }
    } while (halving.next(gains));
    order = halving.alive();
    for (const Gain &gain : gains)
      if (gain.ratio > best.ratio)
        best = gain;
  }
};

TEST(Halving, NoCandidates_EndsAtOnce) {
  Halving halving(0);
  EXPECT_TRUE(halving.alive().empty());
  EXPECT_FALSE(halving.next({}));
}

TEST(Halving, OneCandidate_IsTimedWithTheMostPairsOnce) {
  HalvingRun run(1, [](size_t) { return TimedPair{11, 10}; });
  EXPECT_EQ(run.pairs, Halving::mostPairs);
  EXPECT_EQ(run.order, std::vector<size_t>{0});
}

TEST(Halving, PlantedBest_SlowInItsFirstPair_IsFound) {
  bool isFirst = true;
  HalvingRun run(24, [&](size_t candidate) {
    double disturbed = candidate == 17 && std::exchange(isFirst, candidate != 17) ? 50 : 1;
    return TimedPair{10, disturbed * (candidate == 17 ? 8.0 : 9.0 + 0.1 * double(candidate))};
  });
  EXPECT_FALSE(isFirst);
  EXPECT_EQ(run.order, std::vector<size_t>{17});
  EXPECT_TRUE(wins(run.best));
  EXPECT_EQ(run.mostOfOne, Halving::mostPairs);
}

TEST(Halving, BestOfARound_Survives) {
  Halving halving(3);
  std::vector<Gain> gains = {{1.1, 0.5, 1.2}, {1.3, 0.9, 1.4}, {1.2, 1.1, 1.3}};
  ASSERT_TRUE(halving.next(gains));
  EXPECT_EQ(halving.alive(), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(halving.pairs(), 2 * Halving::firstPairs);
}

TEST(Halving, WhatCannotBeTheBest_FallsOutBesideTheSlowerHalf) {
  Halving halving(5);
  std::vector<Gain> gains = {
      {1.5, 1.4, 1.6}, {1.1, 1.0, 1.2}, {1.0, 0.9, 1.1}, {1.45, 1.3, 1.5}, {1.2, 1.1, 1.3}};
  ASSERT_TRUE(halving.next(gains)); // two could be the best; half of them remain
  EXPECT_EQ(halving.alive(), std::vector<size_t>{0});
  EXPECT_EQ(halving.pairs(), Halving::mostPairs);
}

TEST(Halving, Losers_CostLittle) {
  HalvingRun run(24, [](size_t candidate) { return TimedPair{10, 12 + double(candidate)}; });
  EXPECT_EQ(run.pairs, 24u * 5 + 12 * 10); // the second round shows that none can win
  EXPECT_FALSE(wins(run.best));
}

TEST(Halving, Cost_StaysWithinTheBound) {
  for (size_t candidates = 1; candidates <= 200; ++candidates) {
    // All are alike and faster than the original: only halving eliminates
    // candidates.
    HalvingRun run(candidates, [](size_t) { return TimedPair{11, 10}; });
    EXPECT_LE(double(run.pairs), 25.0 * double(candidates) + 40 * std::log2(candidates) + 40);
    EXPECT_EQ(run.order.size(), 1u);
    if (candidates == 64) {
      EXPECT_EQ(run.pairs, 1560u);
    }
  }
}

} // namespace
