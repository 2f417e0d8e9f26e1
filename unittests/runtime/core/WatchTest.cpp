//===- WatchTest.cpp - Watch over chosen grains ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/watch.h"

#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <gtest/gtest.h>
#include <random>

using namespace regrain;
using namespace std::chrono_literals;
using Verdict = LossTest::Verdict;
using Clock = WatchAccount::Clock;

namespace {

/// A launch that advances the fake device's clock.
class StubLaunch final : public WatchedLaunch {
public:
  explicit StubLaunch(Device &device) : WatchedLaunch(device, nullptr) {}

  cudaError_t launch(Contestant &who) override {
    if (!fits)
      who = Contestant::Original;
    ++ran[size_t(who)];
    last = who;
    fakeDriver().microseconds += time(who);
    return status;
  }
  bool mayCapture() override { return captures; }

  double time(Contestant who) {
    double noisy = 1 + std::abs(std::normal_distribution(0.0, noise)(random));
    return (who == Contestant::Chosen ? chosen : original) * noisy;
  }

  double original = 100, chosen = 100, noise = 0.0001;
  bool fits = true, captures = false;
  cudaError_t status = cudaSuccess;
  int ran[2] = {};
  Contestant last = Contestant::Chosen;

private:
  std::mt19937 random{7};
};

class Watch : public testing::Test {
protected:
  void SetUp() override {
    fakeDriver().reset();
    fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
    std::string reason;
    ASSERT_EQ(cudaPlugin().probe(reason), cudaSuccess) << reason;
    ASSERT_EQ(cudaPlugin().open(0, device, reason), cudaSuccess) << reason;
    // Enough time has passed for the watch to take its share.
    ASSERT_TRUE(account.allows(0ns, Clock::now() - 10h));
    launch.emplace(*device);
  }

  /// Launches as the launch path does; stops at the verdict that the grain
  /// loses.
  Verdict run(ClassWatch &watch, int launches) {
    for (int i = 0; i < launches; ++i) {
      Verdict verdict = Verdict::Open;
      Contestant who = Contestant::Chosen;
      EXPECT_EQ(watch.isDue() ? watch.launch(*launch, verdict) : launch->launch(who),
                launch->status);
      if (verdict == Verdict::Loses)
        return verdict;
    }
    return Verdict::Open;
  }

  std::unique_ptr<Device> device;
  WatchAccount account;
  std::optional<StubLaunch> launch;
};

TEST_F(Watch, SlowerGrain_IsFoundWithinTheFirstPairs) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->chosen = 103;
  EXPECT_EQ(run(watch, 500), Verdict::Loses);
  EXPECT_EQ(watch.evidence().pairs(), LossTest::firstLook);
  EXPECT_EQ(launch->ran[size_t(Contestant::Original)], int(LossTest::firstLook));
}

TEST_F(Watch, SlowerGrain_IsFoundInNoise) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->chosen = 110;
  launch->noise = 0.1;
  EXPECT_EQ(run(watch, 100000), Verdict::Loses);
}

TEST_F(Watch, EqualGrain_StaysAndIsTimedEverMoreSeldom) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->noise = 0.02;
  EXPECT_EQ(run(watch, 1000), Verdict::Open);
  int first = launch->ran[size_t(Contestant::Original)];
  EXPECT_GE(first, int(LossTest::firstLook));
  EXPECT_EQ(run(watch, 1000000), Verdict::Open);
  EXPECT_LE(launch->ran[size_t(Contestant::Original)], 100);
}

TEST_F(Watch, FasterGrain_ThatLosesLater_IsFound) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->chosen = 80;
  EXPECT_EQ(run(watch, 5000), Verdict::Open);
  launch->chosen = 120;
  EXPECT_EQ(run(watch, 1000000), Verdict::Loses);
}

TEST_F(Watch, WhoIsFirst_Alternates) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  std::vector<Contestant> order;
  for (int launches = 0; order.size() < 8 && launches < 1000; ++launches) {
    Verdict verdict;
    size_t records =
        std::count(fakeDriver().calls.begin(), fakeDriver().calls.end(), "cuEventRecordWithFlags");
    ASSERT_EQ(watch.isDue() ? watch.launch(*launch, verdict) : cudaSuccess, cudaSuccess);
    if (records != size_t(std::count(fakeDriver().calls.begin(), fakeDriver().calls.end(),
                                     "cuEventRecordWithFlags")))
      order.push_back(launch->last);
  }
  constexpr Contestant c = Contestant::Chosen, o = Contestant::Original;
  EXPECT_EQ(order, (std::vector{c, o, o, c, c, o, o, c}));
}

TEST_F(Watch, NothingIsTimedWhileAGraphIsRecorded) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->captures = true;
  run(watch, 1000);
  EXPECT_EQ(launch->ran[size_t(Contestant::Original)], 0);
  EXPECT_FALSE(fakeDriver().called("cuEventRecordWithFlags"));
}

TEST_F(Watch, APairWithACaptureInBetween_IsDropped) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  run(watch, 17); // the first of the pair
  ASSERT_TRUE(fakeDriver().called("cuEventRecordWithFlags"));
  launch->captures = true;
  run(watch, 100);
  EXPECT_EQ(launch->ran[size_t(Contestant::Original)], 0);
  EXPECT_FALSE(fakeDriver().called("cuEventElapsedTime"));
}

TEST_F(Watch, LaunchesThatDoNotFit_DoNotCount) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->fits = false;
  launch->chosen = 1000;
  EXPECT_EQ(run(watch, 10000), Verdict::Open);
  EXPECT_EQ(watch.evidence().pairs(), 0u);
}

TEST_F(Watch, ALaunchThatFails_IsTheProgramsErrorAndNoPair) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  launch->status = cudaErrorLaunchFailure;
  run(watch, 1000);
  EXPECT_EQ(watch.evidence().pairs(), 0u);
}

TEST_F(Watch, ADeviceThatDoesNotTime_IsLeftAloneAndTheProgramSeesNoError) {
  for (const char *call :
       {"cuEventCreate", "cuEventRecordWithFlags", "cuEventQuery", "cuEventElapsedTime"}) {
    fakeDriver().results.clear();
    fakeDriver().results[call] = CUDA_ERROR_NOT_SUPPORTED;
    ClassWatch watch(*device, account, 0ns, 0ns);
    run(watch, 100);
    EXPECT_EQ(watch.evidence().pairs(), 0u) << call;
    EXPECT_FALSE(watch.isDue()) << call;
  }
}

TEST_F(Watch, TimesThatAreNotThereYet_AreAskedForLater) {
  ClassWatch watch(*device, account, 0ns, 0ns);
  fakeDriver().results["cuEventQuery"] = CUDA_ERROR_NOT_READY;
  run(watch, 1000);
  EXPECT_EQ(watch.evidence().pairs(), 0u);
  EXPECT_EQ(launch->ran[size_t(Contestant::Original)], 1) << "one pair is under way";
  EXPECT_FALSE(fakeDriver().called("cuEventSynchronize"));
  fakeDriver().results.clear();
  run(watch, 100);
  EXPECT_GE(watch.evidence().pairs(), 1u);
}

TEST_F(Watch, WhatTheOriginalTakesLonger_IsNotSpentWhereItIsTooMuch) {
  WatchAccount poor;
  ClassWatch watch(*device, poor, 1s, 100us);
  EXPECT_EQ(run(watch, 100000), Verdict::Open);
  EXPECT_EQ(launch->ran[size_t(Contestant::Original)], 0);
  EXPECT_EQ(
      std::count(fakeDriver().calls.begin(), fakeDriver().calls.end(), "cuEventRecordWithFlags"), 2)
      << "the chosen grain is timed once, and takes what it was measured to";
}

TEST_F(Watch, AGrainThatTakesLongerThanItsOriginalDid_IsFoundWhateverItSaved) {
  WatchAccount poor;
  ClassWatch watch(*device, poor, 10ms, 1us);
  launch->chosen = 20000;
  EXPECT_EQ(run(watch, 10000), Verdict::Loses);
}

TEST(WatchAccount, AllowsTheGrantAndAShareOfTheTime) {
  WatchAccount account;
  Clock::time_point start = Clock::now();
  EXPECT_TRUE(account.allows(WatchAccount::grant, start));
  EXPECT_FALSE(account.allows(WatchAccount::grant + 1us, start));
  EXPECT_TRUE(account.allows(WatchAccount::grant + 499us, start + 1s));
  account.spend(400us);
  EXPECT_FALSE(account.allows(400us, start + 1s));
  EXPECT_TRUE(account.allows(400us, start + 2s));
  EXPECT_FALSE(account.allows(0us, start)) << "400 us are spent, and 200 us were granted";
}

} // namespace
