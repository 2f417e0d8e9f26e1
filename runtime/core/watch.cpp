//===- watch.cpp - Watch over chosen grains -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/watch.h"

#include "runtime/core/relaxed_capture.h"

#include <algorithm>
#include <ctime>
#include <utility>

namespace regrain {

using Clock = WatchAccount::Clock;
using Nanoseconds = WatchAccount::Nanoseconds;

/// Returns the CPU time of the calling thread: the watch is not charged for times when the
/// thread is held up.
static Nanoseconds workOfThread() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

WatchAccount &WatchAccount::get() {
  static WatchAccount account;
  return account;
}

bool WatchAccount::allows(Nanoseconds cost, Clock::time_point now) {
  Clock::rep begin = 0, present = now.time_since_epoch().count();
  if (since.compare_exchange_strong(begin, present, std::memory_order_relaxed))
    begin = present;
  Nanoseconds passed(std::max<Clock::rep>(present - begin, 0));
  double allowed = double(grant.count()) + shareOfTime * double(passed.count());
  return double(spent.load(std::memory_order_relaxed) + cost.count()) <= allowed;
}

ClassWatch::~ClassWatch() {
  for (const Timing &timing : timings)
    for (cudaEvent_t event : {timing.start, timing.end})
      if (event)
        static_cast<void>(device.destroyEvent(event));
}

cudaError_t ClassWatch::launch(WatchedLaunch &launch, LossTest::Verdict &verdict) {
  verdict = LossTest::Verdict::Open;
  if (isTaken.exchange(true, std::memory_order_acquire)) {
    Contestant who = Contestant::Chosen;
    return launch.launch(who);
  }
  cudaError_t status = take(launch, verdict);
  isTaken.store(false, std::memory_order_release);
  return status;
}

cudaError_t ClassWatch::take(WatchedLaunch &launch, LossTest::Verdict &verdict) {
  Contestant who = Contestant::Chosen;
  if (isOver || launch.mayCapture()) {
    // The other launch of the pair may come long after the capture.
    if (phase == Phase::Paired)
      phase = Phase::Resting;
    rest(gap);
    return launch.launch(who);
  }
  if (phase == Phase::Pending || phase == Phase::Alone) {
    collect(verdict);
    return launch.launch(who);
  }
  Phase next = nextPhase();
  if (next == Phase::Resting) {
    rest(gap);
    return launch.launch(who);
  }
  bool isFirst = next == Phase::Paired;
  if (next != Phase::Alone && isFirst == originalIsFirst)
    who = Contestant::Original;
  return launchTimed(launch, who, next);
}

void ClassWatch::expect(Nanoseconds saving) {
  saved = lastSaved = std::max(saving, Nanoseconds(0));
}

/// Returns the phase that follows from timing this launch; Resting if it is not
/// to be timed.
ClassWatch::Phase ClassWatch::nextPhase() {
  if (phase == Phase::Paired)
    return Phase::Pending;
  Clock::time_point now = Clock::now();
  hostCostNow = {};
  if (account.allows(hostCost + saved, now))
    return Phase::Paired;
  return !isChosenKnown && account.allows(hostCost, now) ? Phase::Alone : Phase::Resting;
}

bool ClassWatch::record(cudaEvent_t &event, cudaStream_t stream) {
  RelaxedCapture mayRecord(device);
  return (event || device.createEvent(cudaEventDefault, event) == cudaSuccess) &&
         device.recordEvent(event, stream, cudaEventRecordDefault) == cudaSuccess;
}

/// Errors of the timing around the launch are not the program's.
cudaError_t ClassWatch::launchTimed(WatchedLaunch &launch, Contestant who, Phase next) {
  Timing &timing = timings[size_t(who)];
  Contestant ran = who;
  Nanoseconds start = workOfThread();
  bool isTimed = record(timing.start, launch.stream);
  Nanoseconds before = workOfThread();
  cudaError_t status = launch.launch(ran);
  Nanoseconds after = workOfThread();
  isTimed = status == cudaSuccess && isTimed && record(timing.end, launch.stream);
  Nanoseconds cost = (before - start) + (workOfThread() - after);
  hostCostNow += cost;
  account.spend(cost);
  if (!isTimed && status == cudaSuccess) {
    giveUp();
  } else if (status != cudaSuccess || ran != who) {
    phase = Phase::Resting;
    rest(gap);
  } else {
    originalIsFirst ^= next == Phase::Pending;
    phase = next;
    rest(next == Phase::Paired ? 0 : pollGap); // the very next launch is the pair's second
  }
  return status;
}

/// Returns cudaErrorNotReady if the launch has not ended.
cudaError_t ClassWatch::timesOf(Contestant who, double &microseconds) {
  const Timing &timing = timings[size_t(who)];
  float milliseconds = 0;
  cudaError_t status = device.queryEvent(timing.end);
  if (status == cudaSuccess)
    status = device.elapsedTime(timing.start, timing.end, milliseconds);
  microseconds = double(milliseconds) * 1000;
  return status;
}

/// Collects the times of launches that have ended; otherwise asks again later.
void ClassWatch::collect(LossTest::Verdict &verdict) {
  Nanoseconds start = workOfThread();
  double original = 0, chosen = 0;
  cudaError_t status = cudaSuccess;
  {
    RelaxedCapture mayAsk(device);
    status = timesOf(Contestant::Chosen, chosen);
    if (status == cudaSuccess && phase == Phase::Pending)
      status = timesOf(Contestant::Original, original);
  }
  Nanoseconds cost = workOfThread() - start;
  hostCostNow += cost;
  account.spend(cost);
  if (status == cudaErrorNotReady)
    return rest(pollGap);
  if (status != cudaSuccess)
    return giveUp();
  isChosenKnown = true;
  if (std::exchange(phase, Phase::Resting) == Phase::Alone) {
    expect(measuredOriginal - Nanoseconds(int64_t(chosen * 1000)));
    return rest(gap);
  }
  hostCost = hostCostNow;
  Nanoseconds savedNow(int64_t(std::max(original - chosen, 0.0) * 1000));
  saved = std::min(lastSaved, savedNow);
  lastSaved = savedNow;
  account.spend(saved);
  verdict = test.add(original, chosen);
  if (verdict == LossTest::Verdict::Holds)
    gap = std::min(4 * gap, longestGap);
  isOver = verdict == LossTest::Verdict::Loses; // the evidence stays unchanged
  rest(gap);
}

/// The class keeps its choice.
void ClassWatch::giveUp() {
  isOver = true;
  phase = Phase::Resting;
  gap = longestGap;
  rest(gap);
}

} // namespace regrain
