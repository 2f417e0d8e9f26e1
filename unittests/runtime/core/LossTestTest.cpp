//===- LossTestTest.cpp - A test for losses of a chosen grain -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/loss_test.h"

#include <gtest/gtest.h>
#include <random>

using namespace regrain;
using Verdict = LossTest::Verdict;

namespace {

/// Adds the same pair until there is a verdict; returns it.
Verdict decide(LossTest &test, double original, double chosen) {
  for (uint32_t i = 0; i < LossTest::lastLook; ++i)
    if (Verdict verdict = test.add(original, chosen); verdict != Verdict::Open)
      return verdict;
  return Verdict::Open;
}

TEST(LossTest, SlowerInEachPair_LosesAtTheFirstLook) {
  LossTest test;
  EXPECT_EQ(decide(test, 100, 102), Verdict::Loses);
  EXPECT_EQ(test.pairs(), LossTest::firstLook);
  EXPECT_NEAR(test.ratio(), 0.98, 0.001);
}

TEST(LossTest, EqualOrFasterOrSlowerByLessThanCounts_Holds) {
  for (double chosen : {10.0, 100.0, 100.9}) {
    LossTest test;
    EXPECT_EQ(decide(test, 100, chosen), Verdict::Holds) << chosen;
    EXPECT_EQ(test.pairs(), LossTest::firstLook);
  }
}

TEST(LossTest, UnresolvedTimes_CountAsEqual) {
  for (auto [original, chosen] : {std::pair(0.0, 0.0), {0.0, 1.0}, {1.0, 0.0}, {-1.0, 1.0}}) {
    LossTest test;
    EXPECT_EQ(decide(test, original, chosen), Verdict::Holds);
  }
}

TEST(LossTest, TwoThirdsOfThePairs_NeedMoreThanTheFirstLook) {
  LossTest test;
  Verdict verdict = Verdict::Open;
  for (uint32_t i = 0; verdict == Verdict::Open; ++i)
    verdict = test.add(100, i % 3 == 2 ? 90 : 110);
  EXPECT_EQ(verdict, Verdict::Loses);
  EXPECT_GT(test.pairs(), LossTest::firstLook);
}

TEST(LossTest, AfterAVerdict_BeginsAnew) {
  LossTest test;
  EXPECT_EQ(decide(test, 100, 50), Verdict::Holds);
  EXPECT_EQ(decide(test, 100, 200), Verdict::Loses) << "what was before does not weigh";
  EXPECT_EQ(test.pairs(), LossTest::firstLook);
  EXPECT_NEAR(test.ratio(), 0.5, 0.001);
}

/// Timings like those of a GPU: skewed noise of `noise`, and one launch in twelve
/// delayed.
class Timings {
public:
  Timings(uint32_t seed, double noise) : random(seed), noise(noise) {}
  double of(double time) {
    time *= 1 + std::abs(std::normal_distribution(0.0, noise)(random));
    return random() % 12 == 0 ? time * (1 + std::exponential_distribution(5.0)(random)) : time;
  }

private:
  std::mt19937 random;
  double noise;
};

/// Returns how many of 1000 classes lose within `pairs` pairs.
int countLosing(double chosen, double noise, int pairs) {
  int losing = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Timings timings(seed, noise);
    LossTest test;
    Verdict verdict = Verdict::Open;
    for (int i = 0; i < pairs && verdict != Verdict::Loses; ++i)
      verdict = test.add(timings.of(100), timings.of(100 * chosen));
    losing += verdict == Verdict::Loses;
  }
  return losing;
}

TEST(LossTestSimulation, EqualGrain_Stays) {
  EXPECT_LE(countLosing(1.0, 0.015, 352), 2);
  EXPECT_LE(countLosing(1.0, 0.2, 352), 20) << "with noise twenty times what counts";
}

TEST(LossTestSimulation, FasterGrain_StaysWhateverTheNoise) {
  EXPECT_EQ(countLosing(0.9, 0.015, 352), 0);
  EXPECT_LE(countLosing(0.9, 0.2, 352), 1);
}

TEST(LossTestSimulation, SlowerGrain_IsFound) {
  EXPECT_GE(countLosing(1.03, 0.015, 352), 950);
  EXPECT_GE(countLosing(1.10, 0.015, 44), 990);
  EXPECT_GE(countLosing(1.50, 0.2, 352), 950);
}

} // namespace
