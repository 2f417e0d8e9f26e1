//===- tuning/StandingTest.cpp - What is chosen over several samples ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The samples of a class run as the tuner makes them, on timings that are made up.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/standing.h"
#include "runtime/tuning/pair_race.h"
#include "unittests/runtime/tuning/Draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace regrain;

namespace {

using Times = std::vector<double>; ///< of the candidates; the original takes 10

/// The candidates of a class, on a device whose clock is made up.
class FakeClass : public PairTrack {
public:
  explicit FakeClass(Times times) : times(std::move(times)), standings(this->times.size()) {}

  bool time(size_t candidate, uint32_t count, std::vector<TimedPair> &pairs) override {
    for (uint32_t i = 0; i < count; ++i, ++pairsTimed) {
      TimedPair pair = {10, times[candidate]};
      bool candidateIsFirst = pairsTimed % 2 == 1;
      (candidateIsFirst ? pair.candidate : pair.original) *= noise();
      (candidateIsFirst ? pair.original : pair.candidate) *= noise();
      disturb(candidate, pair);
      pairs.push_back(pair);
    }
    return true;
  }
  bool paysForRound() const override { return true; }
  bool paysForFresh(uint32_t pairs) const override { return pairs <= payableFresh; }

  /// A sample at launch number `launch`, from 0.
  void sample(uint64_t launch) {
    sampled.push_back(launch);
    std::vector<size_t> positions;
    for (size_t i = 0; i < standings.size(); ++i)
      if (sampled.size() == 1 || standings[i].isOfLast(sampled.size() - 1))
        positions.push_back(i);
    inRace = true;
    Entrants entrants(*this, positions);
    std::vector<std::vector<TimedPair>> all = racePairs(entrants, positions.size());
    inRace = false;
    for (size_t i = 0; i < positions.size(); ++i)
      standings[positions[i]].add(sampled.size() - 1, {1, 10, gainOf(all[i])});
    weigh(sampled.size() > 1 ? double(launch - sampled[sampled.size() - 2]) : 1);
    proveOne(timed(), mostConfirmed, [&](size_t candidate, size_t attempt) {
      Standing &standing = standings[candidate];
      FreshResult fresh = confirmByPairs(*this, candidate, standing.least, errorOfAttempt(attempt));
      ++confirmed;
      standing.confirm(10, *fresh.gain);
      return standings[candidate].isProved() ? Attempt::Proved : Attempt::NotProved;
    });
  }

  /// Returns the choice after so many launches.
  std::optional<size_t> chosen(uint64_t launches) {
    weigh(double(launches - sampled.back()));
    return provedOf(timed());
  }

  size_t refuted() const { return size_t(std::ranges::count_if(standings, &Standing::isRefuted)); }

  std::function<double()> noise = [] { return 1.0; };
  std::function<void(size_t, TimedPair &)> disturb = [](size_t, TimedPair &) {};
  /// Lets the candidate count as code of the vendor's compiler.
  void setVendors(size_t candidate) { standings[candidate].least = leastVendorGain; }

  bool inRace = false;          ///< and not among fresh pairs
  uint32_t payableFresh = 1000; ///< fresh pairs for which there is time
  size_t confirmed = 0;

private:
  struct Entrants : PairTrack {
    Entrants(FakeClass &own, const std::vector<size_t> &positions)
        : own(own), positions(positions) {}
    bool time(size_t candidate, uint32_t count, std::vector<TimedPair> &pairs) override {
      return own.time(positions[candidate], count, pairs);
    }
    bool paysForRound() const override { return true; }
    bool paysForFresh(uint32_t) const override { return true; }
    FakeClass &own;
    const std::vector<size_t> &positions;
  };

  void weigh(double lastWeight) {
    for (Standing &standing : standings)
      standing.weigh(sampled, lastWeight);
  }
  std::vector<const Standing *> timed() const {
    std::vector<const Standing *> all;
    for (const Standing &standing : standings)
      all.push_back(standing.isOfLast(sampled.size()) ? &standing : nullptr);
    return all;
  }

  Times times;
  std::vector<Standing> standings;
  std::vector<uint64_t> sampled;
  size_t pairsTimed = 0;
};

constexpr uint64_t launches = 163;

std::optional<size_t> tune(FakeClass &candidates, size_t samples) {
  for (size_t i = 0; i < samples; ++i)
    candidates.sample((uint64_t(1) << i) - 1);
  return candidates.chosen(launches);
}

/// 1.5 % of noise and, in one launch of twelve, a disturbance of 20 % on average, while the clock
/// drifts for all alike.
std::function<double()> noiseOf(uint64_t seed) {
  return [draw = Draw(seed), clock = 1.0]() mutable {
    clock *= std::exp(0.01 * draw.normal());
    double disturbed = draw.uniform() < 1.0 / 12 ? -0.2 * std::log(draw.uniform()) : 0;
    return clock * (1 + std::abs(0.025 * draw.normal()) + disturbed);
  };
}

/// Four are equally fast, and one is slower than the original.
const Times ties = {9.3, 10, 9.3, 9.3, 10, 9.3, 11};

bool isTied(std::optional<size_t> choice) { return choice && ties[*choice] == 9.3; }

TEST(Standing, EqualCandidatesThatLeadInTurn_OneIsChosen) {
  for (size_t lead = 0; lead < 4; ++lead) {
    FakeClass candidates(ties);
    size_t sample = 0, turn[] = {0, 2, 3, 5};
    candidates.disturb = [&](size_t candidate, TimedPair &pair) {
      if (candidate == turn[(lead + sample) % 4])
        pair.candidate *= 0.9999;
    };
    for (; sample < 3; ++sample)
      candidates.sample((uint64_t(1) << sample) - 1);
    EXPECT_TRUE(isTied(candidates.chosen(launches)));
  }
}

TEST(Standing, LeaderOfAllSamplesIsSecondInTheLastRace_IsChosen) {
  FakeClass candidates({9.2, 9.3});
  candidates.sample(0);
  candidates.sample(1);
  candidates.disturb = [](size_t candidate, TimedPair &pair) {
    if (candidate == 0) // five pairs, because the other one wins the race
      pair.candidate = 9.31;
  };
  candidates.sample(3);
  EXPECT_EQ(candidates.chosen(launches), 0U);
}

TEST(Standing, EqualCandidatesInNoise_OneIsChosen) {
  for (size_t samples : {1, 2, 3, 5})
    for (uint64_t seed = 0; seed < 100; ++seed) {
      FakeClass candidates(ties);
      candidates.noise = noiseOf(1000 * samples + seed);
      EXPECT_TRUE(isTied(tune(candidates, samples))) << samples << " " << seed;
    }
}

TEST(Standing, NoCandidateIsFaster_TheOriginalStays) {
  size_t wrong = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    FakeClass candidates(Times(12, 10));
    candidates.noise = noiseOf(seed);
    wrong += tune(candidates, 4).has_value();
  }
  EXPECT_LE(wrong, 1U);
}

TEST(Standing, GainIsTheLeast_ChosenAtMostWithTheErrorOfADecision) {
  constexpr size_t runs = 1000;
  size_t wrong = 0;
  for (uint64_t seed = 0; seed < runs; ++seed) {
    FakeClass candidates(Times(12, 10 / leastGain));
    candidates.noise = noiseOf(seed);
    wrong += tune(candidates, 1).has_value();
  }
  EXPECT_LE(double(wrong), errorOfDecision * runs);
  EXPECT_GT(wrong, 0U); // the noise is not beside the question
}

TEST(Standing, DriftOfTheClock_DoesNotDecide) {
  auto drift = [clock = 1.0]() mutable { return clock *= 1.01; };
  FakeClass slow(Times(5, 10)), fast({10, 9.3, 10});
  slow.noise = fast.noise = drift;
  EXPECT_EQ(tune(slow, 4), std::nullopt);
  EXPECT_EQ(tune(fast, 4), 1U);
}

TEST(Standing, OneOutlier_DoesNotDecide) {
  for (size_t at = 0; at < 40; ++at) {
    auto once = [at](double TimedPair::*side, bool inRace, FakeClass &candidates) {
      return [at, side, inRace, &candidates, count = size_t(0)](size_t i, TimedPair &pair) mutable {
        if (i == 0 && candidates.inRace == inRace && count++ == at)
          pair.*side *= 50;
      };
    };
    for (bool inRace : {false, true}) {
      FakeClass slow({10.2, 10}), fast({9.3, 10});
      slow.disturb = once(&TimedPair::original, inRace, slow);
      fast.disturb = once(&TimedPair::candidate, inRace, fast);
      EXPECT_EQ(tune(slow, 3), std::nullopt) << at;
      EXPECT_EQ(tune(fast, 3), 0U) << at;
    }
  }
}

TEST(Standing, LeaderOfTheRaceIsNotProved_TheNextIsChosen) {
  FakeClass candidates({10, 9.3, 9.5});
  candidates.disturb = [&](size_t i, TimedPair &pair) {
    if (i == 0 && candidates.inRace)
      pair.candidate = 9;
  };
  EXPECT_EQ(tune(candidates, 1), 1U);
  EXPECT_EQ(candidates.confirmed, 2U);
}

TEST(Standing, NoneIsProved_AttemptsEnd) {
  FakeClass candidates(Times(8, 10));
  candidates.disturb = [&](size_t, TimedPair &pair) {
    if (candidates.inRace)
      pair.candidate = 9;
  };
  EXPECT_EQ(tune(candidates, 1), std::nullopt);
  EXPECT_EQ(candidates.confirmed, mostConfirmed);
  EXPECT_EQ(candidates.refuted(), mostConfirmed);
}

TEST(Standing, SlowAtTheLastSample_IsNotChosen) {
  FakeClass candidates({9.3});
  candidates.sample(0);
  EXPECT_EQ(candidates.chosen(1), 0U);
  candidates.disturb = [](size_t, TimedPair &pair) { pair.candidate = 12; };
  candidates.sample(1);
  EXPECT_EQ(candidates.chosen(launches), std::nullopt);
}

TEST(Standing, VendorsCodeIsALittleFaster_IsChosen) {
  FakeClass candidates({9.95, 9.96});
  candidates.setVendors(1);
  candidates.sample(0);
  EXPECT_EQ(candidates.chosen(1), 1u);
  EXPECT_EQ(candidates.confirmed, 1u);
}

TEST(Standing, VendorsCodeIsEquallyFast_IsNotChosen) {
  FakeClass candidates({9.99});
  candidates.setVendors(0);
  candidates.sample(0);
  EXPECT_EQ(candidates.chosen(1), std::nullopt);
}

TEST(Standing, SlowAtFirstAndFastAtTheLastSample_GetsFreshPairs) {
  Standing late;
  late.add(0, {1, 10, {0.5, 0.49, 0.51}});
  late.add(1, {1, 10, {1.05, 1.04, 1.06}});
  EXPECT_LT(late.gain().ratio, 1);
  size_t calls = 0;
  auto confirm = [&](size_t, size_t) { return ++calls, Attempt::NotProved; };
  EXPECT_EQ(proveOne(std::vector<const Standing *>{&late}, 3, confirm), Attempt::NotProved);
  EXPECT_EQ(calls, 1U);
}

TEST(Leader, TimingsTellOnesApart_ShortfallsDoNotMatter) {
  Standing fast, slow;
  fast.add(0, {1, 10, {1.2, 1.19, 1.21}});
  slow.add(0, {1, 10, {1.1, 1.09, 1.11}});
  auto shortfall = [](size_t i, const Gain &, double) { return i == 0 ? 1.0 : 0.0; };
  EXPECT_EQ(leaderOf(std::vector<const Standing *>{&fast, &slow}, shortfall), 0U);
}

TEST(Leader, TimingsDoNotTellThemApart_LeastShortfallLeads) {
  Standing first, second, third;
  first.add(0, {1, 10, {1.2, 1.19, 1.21}});
  second.add(0, {1, 10, {1.199, 1.19, 1.21}});
  third.add(0, {1, 10, {1.1, 1.09, 1.11}});
  first.fresh = second.fresh = third.fresh = FreshPairs::Won;
  std::vector<const Standing *> all = {&first, nullptr, &second, &third};
  std::vector<double> asked;
  auto shortfall = [&](size_t i, const Gain &gain, double best) {
    asked.push_back(best - gain.ratio);
    return i == 0 ? 0.02 : 0.01;
  };
  EXPECT_EQ(leaderOf(all), 0U);
  EXPECT_EQ(leaderOf(all, shortfall), 2U);
  EXPECT_EQ(provedOf(all, shortfall), 2U);
  ASSERT_EQ(asked.size(), 4U);
  EXPECT_NEAR(asked[0], 0, 1e-9);
  EXPECT_NEAR(asked[1], 0.001, 1e-9);
  second.fresh = FreshPairs::None;
  EXPECT_EQ(provedOf(all, shortfall), 0U);
}

TEST(ProveOne, WrongOnes_DoNotCountAsAttempts) {
  std::vector<Standing> all(6);
  std::vector<const Standing *> pointers;
  for (Standing &standing : all) {
    standing.add(0, {1, 10, {1.2, 1.1, 1.3}});
    pointers.push_back(&standing);
  }
  std::vector<size_t> attempts;
  Attempt last = proveOne(pointers, 1, [&](size_t candidate, size_t attempt) {
    attempts.push_back(attempt);
    return candidate < 3 ? Attempt::Wrong : Attempt::NotProved;
  });
  EXPECT_EQ(last, Attempt::NotProved);
  EXPECT_EQ(attempts, (std::vector<size_t>{0, 0, 0, 0}));
}

TEST(ProveOne, NoTime_EndsTheAttempts) {
  Standing standing;
  standing.add(0, {1, 10, {1.2, 1.1, 1.3}});
  size_t calls = 0;
  auto confirm = [&](size_t, size_t) { return ++calls, Attempt::NotTimed; };
  EXPECT_EQ(proveOne(std::vector<const Standing *>{&standing, nullptr, &standing}, 3, confirm),
            Attempt::NotTimed);
  EXPECT_EQ(calls, 1U);
}

/// Half a percent of noise in each time.
std::function<double()> smallNoiseOf(uint64_t seed) {
  return [draw = Draw(seed)]() mutable { return 1 + 0.005 * draw.normal(); };
}

size_t provedOf(double gain, uint32_t payableFresh) {
  size_t proved = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    FakeClass track({10 / gain});
    track.noise = smallNoiseOf(seed);
    track.payableFresh = payableFresh;
    FreshResult fresh = confirmByPairs(track, 0, leastVendorGain, errorOfDecision);
    proved += wins(*fresh.gain, leastVendorGain);
  }
  return proved;
}

TEST(ConfirmByPairs, GainIsSmallerThanTheIntervalOfFewPairs_MorePairsProveIt) {
  EXPECT_LT(provedOf(1.005, 0), 150u);
  EXPECT_GE(provedOf(1.005, 1000), 195u);
}

TEST(ConfirmByPairs, GainIsTheLeast_MorePairsAreNoMoreOftenWrong) {
  EXPECT_LE(provedOf(leastVendorGain, 1000), 5u); // of 200, at an error of one in 40
}

TEST(ConfirmByPairs, FirstPairsDecide_NoMoreAreTimed) {
  for (double gain : {1.05, 0.99}) {
    FakeClass track({10 / gain});
    track.noise = smallNoiseOf(1);
    EXPECT_EQ(confirmByPairs(track, 0, leastGain, errorOfDecision).pairs.size(), confirmingPairs);
  }
}

TEST(ConfirmByPairs, LargeGain_IsProvedByTwelvePairs) {
  FakeClass track({10 / 1.1});
  track.noise = smallNoiseOf(3);
  FreshResult fresh = confirmByPairs(track, 0, leastGain, errorOfDecision, 12);
  EXPECT_EQ(fresh.pairs.size(), 12u);
  EXPECT_TRUE(wins(*fresh.gain));
}

TEST(ConfirmByPairs, NoTimeForTwiceAsMany_TheFirstPairsHaveTheWholeError) {
  FakeClass track({10 / 1.003});
  track.noise = smallNoiseOf(2);
  track.payableFresh = 3 * confirmingPairs - 1;
  FreshResult fresh = confirmByPairs(track, 0, leastVendorGain, errorOfDecision);
  EXPECT_EQ(fresh.pairs.size(), confirmingPairs);
  EXPECT_EQ(fresh.gain->low, gainOf(fresh.pairs, errorOfDecision).low);
  EXPECT_GT(fresh.gain->low, gainOf(fresh.pairs, errorOfDecision / 2).low);
}

TEST(ConfirmByPairs, TimeEndsWithinTheFirstPairs_ThereIsNoGain) {
  struct Spent : PairTrack {
    bool time(size_t, uint32_t, std::vector<TimedPair> &pairs) override {
      pairs.assign(3, {10, 9});
      return false;
    }
    bool paysForRound() const override { return true; }
    bool paysForFresh(uint32_t) const override { return true; }
  } spent;
  EXPECT_FALSE(confirmByPairs(spent, 0, leastGain, errorOfDecision).gain);
}

TEST(ErrorOfAttempt, OfAllTogether_IsThatOfADecision) {
  double sum = 0;
  for (size_t attempt = 0; attempt < mostConfirmed; ++attempt)
    sum += errorOfAttempt(attempt);
  EXPECT_LT(sum, errorOfDecision);
}

} // namespace
