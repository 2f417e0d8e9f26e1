//===- tuning/BatchTimerTest.cpp - The time of one launch among several ---===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two clocks are simulated: the host queues work, and the device runs it in order, never before it
// was queued.
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/batch_timer.h"
#include "runtime/tuning/statistics.h"
#include "unittests/runtime/tuning/Draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace regrain;

namespace {

/// What takes how many microseconds.
struct Costs {
  double launch = 1.5;    ///< on the device
  double queueing = 5;    ///< of a launch, on the host
  double restoring = 2;   ///< on the device
  double event = 1.5;     ///< on the device
  double firstLaunch = 0; ///< more on the device, where the launch before was another one
  double disturbed = 0;   ///< at most, more of a timing on the host, once in four timings
  double unsteady = 0;    ///< at most, of the time on the host, more of all launches of a timing
  bool canDelay = true;
};

class FakeQueue : public TimedQueue {
public:
  FakeQueue(const Costs &costs, Draw &draw) : costs(costs), draw(draw) {}

  cudaError_t restore() override { return queue("r", 2, costs.restoring); }
  cudaError_t delay(std::chrono::microseconds time) override {
    delays = double(time.count());
    isOther = true;
    return costs.canDelay ? queue("d", 3, delays) : cudaSuccess;
  }
  cudaError_t launch() override {
    if (draw.uniform() < 1.0 / 80)
      host += costs.disturbed * draw.uniform();
    double first = isOther ? costs.firstLaunch : 0;
    isOther = false;
    return fails ? cudaErrorLaunchFailure : queue("l", costs.queueing, costs.launch + first);
  }
  cudaError_t record(Mark mark) override {
    queue(mark == Mark::Begin ? "<" : ">", 1, costs.event);
    (mark == Mark::Begin ? begin : end) = device;
    return cudaSuccess;
  }
  bool isPending(Mark mark) override { return (mark == Mark::Begin ? begin : end) > host; }
  cudaError_t settle() override {
    host = std::max(host, device) + 10;
    log += "; ";
    return cudaSuccess;
  }
  cudaError_t elapsed(double &microseconds) override {
    microseconds = end - begin;
    return cudaSuccess;
  }
  double now() override { return host; }

  std::string log;
  double delays = 0; ///< microseconds of the last
  bool fails = false;

private:
  cudaError_t queue(const char *what, double onHost, double onDevice) {
    log += what;
    host += onHost;
    device = std::max(host, device) + onDevice;
    return cudaSuccess;
  }

  Costs costs;
  Draw &draw;
  bool isOther = true;
  double host = 0, device = 0, begin = 0, end = 0;
};

double timeOf(const Costs &costs, unsigned launches) {
  Draw draw(1);
  FakeQueue queue(costs, draw);
  Timing timing;
  BatchTimer timer;
  EXPECT_EQ(timer.time(queue, launches, timing), cudaSuccess);
  EXPECT_TRUE(timing.isQueuedInTime);
  return timing.microseconds;
}

/// Returns the gain of fresh pairs, as the tuner times them. The host takes so many times as long
/// to queue the candidate.
Gain gainBetween(const Costs &common, double original, double candidate, unsigned launches,
                 double hostFactor = 1) {
  Draw draw(7);
  BatchTimer timer;
  HostNeeds needs;
  std::vector<TimedPair> pairs;
  for (uint32_t i = 0; i < confirmingPairs; ++i) {
    Timing times[2];
    for (bool isCandidate : {i % 2 == 0, i % 2 != 0}) {
      Costs costs = common;
      costs.launch = (isCandidate ? candidate : original) * (1 + 0.01 * draw.uniform());
      costs.queueing *= isCandidate ? hostFactor : 1;
      if (common.unsteady != 0)
        costs.queueing *= 1 + common.unsteady * draw.uniform();
      FakeQueue queue(costs, draw);
      EXPECT_EQ(timer.time(queue, launches, times[isCandidate]), cudaSuccess);
      EXPECT_TRUE(times[isCandidate].isQueuedInTime || !common.canDelay);
    }
    needs.add(0, 1, times[0], times[1]);
    pairs.push_back({times[0].microseconds, needs.comparedMicroseconds(0, 1, times[0], times[1])});
  }
  return gainOf(pairs);
}

TEST(BatchTimer, HostIsSlowerThanTheLaunch_GainIsSeen) {
  Gain gain = gainBetween({}, 1.5, 1.5 / 1.1, BatchTimer::launchesAtOnce(3));
  EXPECT_NEAR(gain.ratio, 1.1, 0.012);
  EXPECT_TRUE(wins(gain));
}

/// As for a grain of two launches. A program that only queues would wait for the host.
TEST(BatchTimer, HostTakesLongerThanTheOriginalInAll_CandidateLoses) {
  unsigned launches = BatchTimer::launchesAtOnce(3);
  Gain gain = gainBetween({}, 1.5, 1, launches, 2);
  EXPECT_NEAR(gain.ratio, 1.5 / 10, 0.01);
  EXPECT_LT(gain.high, 1);
}

TEST(BatchTimer, HostTakesLessThanTheOriginalsDevice_GainIsSeen) {
  EXPECT_NEAR(gainBetween({}, 12, 9, BatchTimer::launchesAtOnce(12), 2).ratio, 12.0 / 9, 0.03);
}

TEST(BatchTimer, HostTakesLittleLonger_GainIsSeen) {
  EXPECT_NEAR(gainBetween({}, 1.5, 1, BatchTimer::launchesAtOnce(3), 1.3).ratio, 1.5, 0.03);
}

/// As on a machine that others use.
TEST(BatchTimer, HostIsUnsteady_GainIsSeen) {
  Gain gain = gainBetween({.unsteady = 0.4}, 1.5, 1.5 / 1.1, BatchTimer::launchesAtOnce(3), 1.05);
  EXPECT_NEAR(gain.ratio, 1.1, 0.012);
  EXPECT_TRUE(wins(gain));
}

/// Returns what counts for the candidate after so many pairs with the same times of the host.
double comparedAfter(size_t pairs, unsigned calls, const Timing &original,
                     const Timing &candidate) {
  HostNeeds needs;
  for (size_t i = 0; i < pairs; ++i)
    needs.add(3, calls, original, candidate);
  return needs.comparedMicroseconds(3, calls, original, candidate);
}

TEST(HostNeeds, HostIsTheSlowerOne_TimeIsTheDevicesIfThatTakesLonger) {
  EXPECT_DOUBLE_EQ(comparedAfter(9, 1, {2, 4}, {1, 8}), 8);
  EXPECT_DOUBLE_EQ(comparedAfter(9, 1, {2, 4}, {9, 8}), 9);
  EXPECT_DOUBLE_EQ(comparedAfter(9, 1, {8, 4}, {7, 8}), 7) << "the program waits for the device";
  EXPECT_DOUBLE_EQ(comparedAfter(9, 1, {2, 8}, {1, 4}), 1);
}

TEST(HostNeeds, FewPairs_ProveNothing) {
  EXPECT_DOUBLE_EQ(comparedAfter(leastPairs - 1, 1, {2, 4}, {1, 8}), 1);
  EXPECT_DOUBLE_EQ(HostNeeds().comparedMicroseconds(3, 1, {2, 4}, {1, 8}), 1);
}

/// No program waits for the restores: of three calls, two restore.
TEST(HostNeeds, RestoresAreInBothTimes_LaunchesAreCompared) {
  EXPECT_DOUBLE_EQ(comparedAfter(9, 3, {2, 12}, {1, 16}), 8);
  EXPECT_DOUBLE_EQ(comparedAfter(9, 3, {2, 12}, {1, 13}), 1);
}

/// A candidate has five pairs in a race while the host is disturbed; the original has hundreds.
TEST(HostNeeds, HostIsDisturbedForSomePairs_PairsAreCompared) {
  HostNeeds needs;
  for (int i = 0; i < 100; ++i)
    needs.add(0, 2, {2, 8}, {2, 8});
  for (int i = 0; i < 15; ++i)
    needs.add(1, 2, {2, 13.0 + i % 3}, {1.8, 13.0 + (i + 1) % 3});
  EXPECT_DOUBLE_EQ(needs.comparedMicroseconds(1, 2, {2, 13}, {1.8, 13}), 1.8);
}

/// The overhead hides the gain where nothing keeps the device busy until all is queued.
TEST(BatchTimer, NothingDelaysTheDevice_HostIsTimed) {
  Gain gain = gainBetween({.canDelay = false}, 1.5, 1.5 / 1.1, BatchTimer::launchesAtOnce(3));
  EXPECT_NEAR(gain.ratio, 1.0, 0.001);
  EXPECT_FALSE(wins(gain));
  EXPECT_NEAR(timeOf({.canDelay = false}, 50), 5, 0.1);
}

TEST(BatchTimer, HostIsDisturbed_GainIsSeen) {
  EXPECT_NEAR(gainBetween({.disturbed = 300}, 1.5, 1.5 / 1.1, 66).ratio, 1.1, 0.012);
}

TEST(BatchTimer, EventsAndTheFirstLaunchCost_TimeIsThatOfALaunch) {
  unsigned launches = BatchTimer::launchesAtOnce(4);
  EXPECT_NEAR(timeOf({.launch = 2, .event = 1.5, .firstLaunch = 6}, launches), 2, 0.04);
  EXPECT_NEAR(timeOf({.launch = 2, .event = 1.5, .firstLaunch = 6}, 1), 9.5, 0.01);
}

TEST(BatchTimer, Launches_AreRestoredOnceAndLedByOne) {
  Draw draw(1);
  FakeQueue queue({.queueing = 0.5}, draw);
  BatchTimer timer;
  Timing timing;
  ASSERT_EQ(timer.time(queue, 4, timing), cudaSuccess);
  EXPECT_EQ(queue.log, "<d>; rdl<llll>; ");
  queue.log.clear();
  ASSERT_EQ(timer.time(queue, 1, timing), cudaSuccess);
  EXPECT_EQ(queue.log, "rd<l>; ");
}

/// Each launch starts from restored memory, and the time is that of the launch.
TEST(BatchTimer, RestoredLaunches_LeaveOutTheRestores) {
  Draw draw(1);
  FakeQueue queue({.queueing = 0.5, .restoring = 2.25}, draw);
  BatchTimer timer;
  Timing timing;
  ASSERT_EQ(timer.findRestoring(queue, 40), cudaSuccess);
  EXPECT_TRUE(timer.delays());
  EXPECT_NEAR(timer.restoringMicroseconds(), 2.25, 0.05);
  queue.log.clear();
  ASSERT_EQ(timer.timeRestored(queue, 3, timing), cudaSuccess);
  EXPECT_EQ(queue.log, "rdrl<rlrlrl>; ");
  ASSERT_EQ(timer.timeRestored(queue, 40, timing), cudaSuccess);
  EXPECT_NEAR(timing.microseconds, 1.5, 0.01);
  EXPECT_NEAR(timing.hostMicroseconds, 2.5, 0.1);
  FakeQueue faster({.launch = 1.5 / 1.1, .queueing = 5, .restoring = 2.25}, draw);
  Timing ofFaster;
  ASSERT_EQ(timer.timeRestored(faster, 40, ofFaster), cudaSuccess);
  EXPECT_TRUE(ofFaster.isQueuedInTime);
  EXPECT_NEAR(timing.microseconds / ofFaster.microseconds, 1.1, 0.01);
}

TEST(BatchTimer, DeviceThatCannotDelay_SaysSo) {
  Draw draw(1);
  FakeQueue queue({.canDelay = false}, draw);
  BatchTimer timer;
  ASSERT_EQ(timer.findRestoring(queue, 4), cudaSuccess);
  EXPECT_FALSE(timer.delays());
}

TEST(BatchTimer, NotQueuedInTime_RepeatedBehindALongerDelay) {
  Draw draw(1);
  FakeQueue queue({}, draw);
  BatchTimer timer;
  Timing timing;
  ASSERT_EQ(timer.time(queue, 20, timing), cudaSuccess);
  EXPECT_EQ(std::ranges::count(queue.log, 'r'), 2);
  EXPECT_GT(queue.delays, 100); // 21 launches of 5 us and two events
  EXPECT_TRUE(timing.isQueuedInTime);
  ASSERT_EQ(timer.time(queue, 20, timing), cudaSuccess);
  EXPECT_EQ(std::ranges::count(queue.log, 'r'), 3); // the delay is known
}

TEST(BatchTimer, NeverQueuedInTime_SaysSo) {
  Draw draw(1);
  FakeQueue queue({.queueing = 400}, draw); // 8 ms for 20 launches
  BatchTimer timer;
  Timing timing;
  ASSERT_EQ(timer.time(queue, 20, timing), cudaSuccess);
  EXPECT_FALSE(timing.isQueuedInTime);
}

TEST(BatchTimer, LaunchFails_StatusIsItsOwn) {
  Draw draw(1);
  FakeQueue queue({}, draw);
  queue.fails = true;
  BatchTimer timer;
  Timing timing;
  EXPECT_EQ(timer.time(queue, 20, timing), cudaErrorLaunchFailure);
  EXPECT_EQ(BatchTimer::timeLong(queue, timing.microseconds), cudaErrorLaunchFailure);
}

TEST(BatchTimer, LongLaunch_IsTimedAloneAndWithoutDelay) {
  EXPECT_EQ(BatchTimer::launchesAtOnce(BatchTimer::loopedMicroseconds + 1), 1u);
  EXPECT_EQ(BatchTimer::launchesAtOnce(BatchTimer::loopedMicroseconds), 4u);
  EXPECT_EQ(BatchTimer::launchesAtOnce(BatchTimer::shortMicroseconds), 4u);
  EXPECT_LE(BatchTimer::launchesAtOnce(0.01), 100u);
  Draw draw(1);
  FakeQueue queue({.launch = 5000}, draw);
  double microseconds = 0;
  ASSERT_EQ(BatchTimer::timeLong(queue, microseconds), cudaSuccess);
  EXPECT_EQ(queue.log, "r<l>; ");
  EXPECT_NEAR(microseconds, 5001.5, 5);
}

} // namespace
