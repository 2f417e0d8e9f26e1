//===- tuning/LongRaceTest.cpp - Few launches that take long --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock is simulated: a launch takes as long as it says.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/long_race.h"
#include "unittests/runtime/tuning/Draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

using namespace regrain;

namespace {

/// Launches that take seconds of a simulated clock.
class FakeTrack : public Track {
public:
  FakeTrack(double left, double original, std::vector<double> candidates)
      : left(left), original(original), candidates(std::move(candidates)) {}

  double secondsLeft() const override { return left; }
  double timeOriginal() override { return run("o", original); }
  std::optional<double> timeFirst(size_t i) override {
    double microseconds = run("?" + std::to_string(i), candidates[i]);
    return wrong.contains(i) ? std::nullopt : std::optional(microseconds);
  }
  double time(size_t i) override { return run(std::to_string(i), candidates[i]); }

  std::set<size_t> wrong;
  std::function<double()> noise = [] { return 1; };
  std::string log; ///< the launches, in order

private:
  double run(const std::string &name, double seconds) {
    double taken = seconds * noise();
    left -= taken + 0.001;
    log += (log.empty() ? "" : " ") + name;
    return taken * 1e6;
  }
  double left, original;
  std::vector<double> candidates;
};

struct Decision {
  std::optional<size_t> best; ///< chosen
  size_t tried = 0;
  std::vector<TimedPair> fresh;
};

/// Decides as the tuner does.
Decision decide(FakeTrack &track, size_t candidates, double original) {
  LongRace race(track, candidates, original * 1e6 * track.noise(),
                {original, original + 0.001, original + 0.002});
  race.select();
  Decision decision;
  std::optional<size_t> leader;
  const auto &all = race.contestants();
  auto gain = [&](size_t i) { return race.gainOf(all[i].pairs); };
  for (size_t i = 0; i < all.size(); ++i) {
    decision.tried += all[i].isTried;
    if (!all[i].pairs.empty() && (!leader || gain(i).ratio > gain(*leader).ratio))
      leader = i;
  }
  if (!leader || gain(*leader).ratio <= leastGain)
    return decision;
  decision.fresh = race.confirm(*leader);
  if (!decision.fresh.empty() && wins(race.gainOf(decision.fresh)))
    decision.best = leader;
  return decision;
}

TEST(LongRace, OneRunOfTheOriginal_ServesTwoCandidates) {
  FakeTrack track(100, 1, {1.2, 1.3, 1.4, 1.5});
  EXPECT_EQ(decide(track, 4, 1).best, std::nullopt);
  EXPECT_EQ(track.log, "?0 ?1 o ?2 ?3 o"); // none can win
}

TEST(LongRace, FasterCandidate_IsChosenAfterFreshPairs) {
  FakeTrack track(100, 1, {1.2, 0.8, 1.1});
  Decision decision = decide(track, 3, 1);
  EXPECT_EQ(decision.best, 1u);
  EXPECT_EQ(decision.fresh.size(), leastFewPairs);
  EXPECT_TRUE(track.log.starts_with("?0 ?1 o ?2")) << track.log;
  EXPECT_TRUE(track.log.ends_with("o 1 1 o")) << track.log; // both orders
}

TEST(LongRace, TwelveOfASecond_InThirtySeconds_AllAreTried) {
  std::vector<double> times(12, 1.0);
  times[7] = 0.9;
  FakeTrack track(0.9 * 29.05, 0.95, times);
  Decision decision = decide(track, 12, 0.95);
  EXPECT_EQ(decision.tried, 12u);
  EXPECT_EQ(decision.best, 7u);
  EXPECT_GE(track.secondsLeft(), 0);
}

TEST(LongRace, TwelveOfASecond_InTenSeconds_TheFirstAreDecided) {
  std::vector<double> times(12, 1.0);
  times[1] = 0.6;
  FakeTrack track(0.9 * 9.05, 0.95, times);
  Decision decision = decide(track, 12, 0.95);
  EXPECT_GE(decision.tried, 3u);
  EXPECT_LT(decision.tried, 12u);
  EXPECT_EQ(decision.best, 1u);
  EXPECT_GE(track.secondsLeft(), 0);
}

TEST(LongRace, WrongCandidate_IsNeverTimedAgain) {
  FakeTrack track(100, 1, {0.1, 0.7, 0.8});
  track.wrong = {0};
  EXPECT_EQ(decide(track, 3, 1).best, 1u);
  EXPECT_EQ(track.log.find(" 0"), std::string::npos) << track.log;
}

TEST(LongRace, TooLittleTimeForFreshPairs_ChoosesNothing) {
  FakeTrack track(5, 1, {0.5, 0.6});
  Decision decision = decide(track, 2, 1);
  EXPECT_EQ(decision.best, std::nullopt);
  EXPECT_EQ(decision.tried, 0u); // planned before anything is spent
}

TEST(LongRace, SmallGain_TakesMorePairs) {
  FakeTrack large(1000, 1, {0.5}), small(1000, 1, {1 / 1.015});
  EXPECT_EQ(decide(large, 1, 1).fresh.size(), leastFewPairs);
  Decision decision = decide(small, 1, 1);
  EXPECT_EQ(decision.best, 0u);
  EXPECT_GT(decision.fresh.size(), leastFewPairs);
}

TEST(LongRace, GainBelowTheLeast_KeepsTheOriginal) {
  FakeTrack track(1000, 1, {1 / 1.005, 1});
  EXPECT_EQ(decide(track, 2, 1).best, std::nullopt);
}

constexpr size_t runs = 2000;

/// Returns how often something is chosen among `count` candidates of the original's speed, with
/// logarithms of times drawn by `noise`.
size_t falseWinners(size_t count, double left, const std::function<double(Draw &)> &noise,
                    double speed = 1) {
  size_t winners = 0;
  for (size_t run = 0; run < runs; ++run) {
    Draw draw(1000 * count + run);
    FakeTrack track(left, 1, std::vector<double>(count, 1 / speed));
    track.noise = [&] { return std::exp(noise(draw)); };
    winners += decide(track, count, 1).best.has_value();
  }
  return winners;
}

TEST(LongRaceSimulation, NoDifference_FewFalseWinners) {
  auto normal = [](Draw &draw) { return 0.004 * draw.normal(); };
  auto skewed = [](Draw &draw) {
    double disturbed = draw.uniform() < 1.0 / 12 ? -0.05 * std::log(draw.uniform()) : 0;
    return std::abs(0.004 * draw.normal()) + disturbed;
  };
  for (size_t count : {1, 3, 12})
    for (double left : {10.0, 30.0, 100.0}) {
      EXPECT_LE(falseWinners(count, left, normal), runs / 100) << count << " " << left;
      EXPECT_LE(falseWinners(count, left, skewed), runs / 40) << count << " " << left;
    }
}

/// The device runs at one of two speeds, which is the worst case for few launches.
TEST(LongRaceSimulation, TwoSpeeds_FalseWinnersBelowTwoPointFivePercent) {
  for (double slow : {0.2, 0.33, 0.5, 0.67, 0.8})
    for (size_t count : {1, 3, 12})
      for (double left : {10.0, 30.0})
        EXPECT_LE(falseWinners(count, left,
                               [&](Draw &draw) { return draw.uniform() < slow ? 0.1 : 0.0; }),
                  runs / 40)
            << slow << " " << count << " " << left;
}

TEST(LongRaceSimulation, WhereTheGainIsTheLeast_WinnersBelowTwoPointFivePercent) {
  EXPECT_LE(
      falseWinners(12, 30, [](Draw &draw) { return 0.004 * draw.normal(); }, leastGain), runs / 40);
}

TEST(LongRaceSimulation, GainOfFivePercent_IsFound) {
  size_t found = 0;
  for (size_t run = 0; run < runs; ++run) {
    Draw draw(run);
    std::vector<double> times(12, 1);
    times[5] = 1 / 1.05;
    FakeTrack track(30, 1, times);
    track.noise = [&] { return std::exp(0.004 * draw.normal()); };
    found += decide(track, 12, 1).best == 5;
  }
  EXPECT_GE(found, runs * 9 / 10);
}

} // namespace
