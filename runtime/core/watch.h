//===- watch.h - Whether what was chosen still pays -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A choice is measured in one run; the data, the clocks and what else runs on the device are
// others in the next. So in normal runs two neighbouring launches of a class are timed now and
// then, one at the chosen grain and one at the original, both of which are right. Events are
// recorded around them and asked about at later launches: nothing waits, for the device or for a
// lock, and nothing is allocated but by the device. Not while a graph is recorded.
//
// What it costs is bounded, not hoped for: WatchAccount lets a pair happen only where all that the
// watch has cost the process, with what the pair is expected to cost, stays within
// `shareOfTime` of the time since the first watched launch, and `grant`. The cost of a pair is the
// host's work for it, and what the original takes longer than the chosen grain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/core/loss_test.h"

#include <atomic>
#include <chrono>

namespace regrain {

/// What the watch has cost the process so far, of all classes on all devices.
class WatchAccount {
public:
  using Clock = std::chrono::steady_clock;
  using Nanoseconds = std::chrono::nanoseconds;

  static constexpr double shareOfTime = 0.0005;
  static constexpr Nanoseconds grant = std::chrono::microseconds(200);

  static WatchAccount &get();

  /// Whether something of that cost may happen. The first call begins the time.
  [[nodiscard]] bool allows(Nanoseconds cost, Clock::time_point now);
  void spend(Nanoseconds cost) { spent.fetch_add(cost.count(), std::memory_order_relaxed); }

private:
  std::atomic<Clock::rep> since = 0; ///< 0: no call yet
  std::atomic<Nanoseconds::rep> spent = 0;
};

enum class Contestant : uint8_t { Chosen, Original };

/// A launch of the program, which can happen either way.
class WatchedLaunch {
public:
  WatchedLaunch(Device &device, cudaStream_t stream) : device(device), stream(stream) {}
  virtual ~WatchedLaunch() = default;

  /// Launches `who`; or the original, said in `who`, where the launch does not fit the
  /// chosen grain.
  [[nodiscard]] virtual cudaError_t launch(Contestant &who) = 0;
  /// Whether a graph is being recorded, from the launch's stream or another.
  virtual bool isRecorded() = 0;

  Device &device;
  const cudaStream_t stream;
};

/// Of one class of launches on one device. Calls may come from any thread.
class ClassWatch {
public:
  /// `original` and `chosen`: what a launch was measured to take, where the choice was made.
  ClassWatch(Device &device, WatchAccount &account, WatchAccount::Nanoseconds original,
             WatchAccount::Nanoseconds chosen)
      : device(device), account(account), measuredOriginal(original) {
    expect(original - chosen);
  }
  ~ClassWatch();
  ClassWatch(const ClassWatch &) = delete;
  ClassWatch &operator=(const ClassWatch &) = delete;

  /// Of each launch of the class: whether it goes through launch(). Counts without a
  /// lock: of launches at the same time some may not count.
  [[nodiscard]] bool isDue() {
    uint32_t left = launchesLeft.load(std::memory_order_relaxed);
    if (left == 0)
      return true;
    launchesLeft.store(left - 1, std::memory_order_relaxed);
    return false;
  }

  /// Makes the launch, at the chosen grain unless it is the original's turn, and learns from it.
  /// `verdict` is Loses once: the caller then no longer asks.
  [[nodiscard]] cudaError_t launch(WatchedLaunch &launch, LossTest::Verdict &verdict);

  /// On what the last verdict rests.
  const LossTest &evidence() const { return test; }

private:
  enum class Phase : uint8_t {
    Resting,
    Paired,  ///< one launch of a pair is timed, the next one is the other
    Pending, ///< both are, and not yet known
    Alone,   ///< one at the chosen grain is, and not yet known
  };
  struct Timing {
    cudaEvent_t start = nullptr, end = nullptr;
  };

  /// Launches before the first pair, and between the first pairs.
  static constexpr uint32_t firstGap = 16;
  static constexpr uint32_t longestGap = 1 << 20;
  /// Between looks whether a pair has ended.
  static constexpr uint32_t pollGap = 8;

  void rest(uint32_t launches) { launchesLeft.store(launches, std::memory_order_relaxed); }
  cudaError_t take(WatchedLaunch &launch, LossTest::Verdict &verdict);
  void expect(WatchAccount::Nanoseconds saving);
  Phase nextPhase();
  cudaError_t launchTimed(WatchedLaunch &launch, Contestant who, Phase next);
  bool record(cudaEvent_t &event, cudaStream_t stream);
  void collect(LossTest::Verdict &verdict);
  cudaError_t timesOf(Contestant who, double &microseconds);
  void giveUp();

  Device &device;
  WatchAccount &account;
  std::atomic<uint32_t> launchesLeft = firstGap;
  std::atomic<bool> isTaken = false; ///< by a thread; what follows is its own
  Phase phase = Phase::Resting;
  bool originalIsFirst = false; ///< of the next pair
  bool isOver = false;          ///< the device does not time
  uint32_t gap = firstGap;
  Timing timings[2]; ///< by Contestant
  LossTest test;
  /// What the original takes longer, as expected and in the last pair. One pair in which
  /// something held it up is no reason to expect that again.
  WatchAccount::Nanoseconds saved, lastSaved;
  /// Where a pair is too expensive by what was measured, the chosen grain alone is timed first:
  /// one that takes longer here saves less.
  WatchAccount::Nanoseconds measuredOriginal;
  bool isChosenKnown = false;
  WatchAccount::Nanoseconds hostCost = std::chrono::microseconds(10); ///< of a pair, expected
  WatchAccount::Nanoseconds hostCostNow = {};                         ///< of the one under way
};

} // namespace regrain
