//===- watch.h - Watch over chosen grains -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A choice is measured in one run; in the next, the data, the clocks and other work on the
// device differ. In normal runs, two neighbouring launches of a class are therefore timed from
// time to time, one at the chosen grain and one at the original, which are both correct. Events
// are recorded around them and queried at later launches: nothing waits for the device or for a
// lock, and only the device allocates. Nothing is timed while a stream captures.
//
// The cost is bounded: WatchAccount allows a pair only if the total cost of the watch to the
// process, including the expected cost of the pair, stays within `shareOfTime` of the time since
// the first watched launch, plus `grant`. The cost of a pair is the host's work for it, and the
// time by which the original takes longer than the chosen grain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/core/loss_test.h"

#include <atomic>
#include <chrono>

namespace regrain {

/// The cost of the watch to the process so far, for all classes on all devices.
class WatchAccount {
public:
  using Clock = std::chrono::steady_clock;
  using Nanoseconds = std::chrono::nanoseconds;

  static constexpr double shareOfTime = 0.0005;
  static constexpr Nanoseconds grant = std::chrono::microseconds(200);

  static WatchAccount &get();

  /// Returns whether a pair of that cost is allowed. The first call starts the
  /// time.
  [[nodiscard]] bool allows(Nanoseconds cost, Clock::time_point now);
  void spend(Nanoseconds cost) { spent.fetch_add(cost.count(), std::memory_order_relaxed); }

private:
  std::atomic<Clock::rep> since = 0; ///< 0: there was no call
  std::atomic<Nanoseconds::rep> spent = 0;
};

enum class Contestant : uint8_t { Chosen, Original };

/// A launch of the program, which can be made at either grain.
class WatchedLaunch {
public:
  WatchedLaunch(Device &device, cudaStream_t stream) : device(device), stream(stream) {}
  virtual ~WatchedLaunch() = default;

  /// Launches `who`; if the launch does not fit the chosen grain, it launches the
  /// original and sets `who` to it.
  [[nodiscard]] virtual cudaError_t launch(Contestant &who) = 0;
  /// Returns whether any stream may capture.
  virtual bool mayCapture() = 0;

  Device &device;
  const cudaStream_t stream;
};

/// Watches one class of launches on one device. Any thread may call it.
class ClassWatch {
public:
  /// `original` and `chosen` are the durations of a launch that were measured when the
  /// choice was made.
  ClassWatch(Device &device, WatchAccount &account, WatchAccount::Nanoseconds original,
             WatchAccount::Nanoseconds chosen)
      : device(device), account(account), measuredOriginal(original) {
    expect(original - chosen);
  }
  ~ClassWatch();
  ClassWatch(const ClassWatch &) = delete;
  ClassWatch &operator=(const ClassWatch &) = delete;

  /// Must be called for each launch of the class; returns whether the launch goes
  /// through launch(). It counts without a lock: of simultaneous launches, some may
  /// not count.
  [[nodiscard]] bool isDue() {
    uint32_t left = launchesLeft.load(std::memory_order_relaxed);
    if (left == 0)
      return true;
    launchesLeft.store(left - 1, std::memory_order_relaxed);
    return false;
  }

  /// Makes the launch, at the chosen grain unless it is the original's turn, and learns from it.
  /// `verdict` is Loses once: after that, the caller no longer asks.
  [[nodiscard]] cudaError_t launch(WatchedLaunch &launch, LossTest::Verdict &verdict);

  /// Returns the evidence of the last verdict.
  const LossTest &evidence() const { return test; }

private:
  enum class Phase : uint8_t {
    Resting,
    Paired,  ///< one launch of a pair is timed, the next one is the other
    Pending, ///< both launches are timed, their times are not yet known
    Alone,   ///< one launch at the chosen grain is timed, its time is not yet known
  };
  struct Timing {
    cudaEvent_t start = nullptr, end = nullptr;
  };

  /// The number of launches before the first pair, and between the first pairs.
  static constexpr uint32_t firstGap = 16;
  static constexpr uint32_t longestGap = 1 << 20;
  /// The number of launches between two queries whether a pair has ended.
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
  std::atomic<bool> isTaken = false; ///< by a thread, which owns the members below
  Phase phase = Phase::Resting;
  bool originalIsFirst = false; ///< of the next pair
  bool isOver = false;          ///< the device cannot time, or the test is over
  uint32_t gap = firstGap;
  Timing timings[2]; ///< by Contestant
  LossTest test;
  /// The time by which the original takes longer, as expected and in the last pair. A
  /// single pair in which something delayed the original does not change the
  /// expectation.
  WatchAccount::Nanoseconds saved, lastSaved;
  /// If a pair is too expensive by the measured times, the chosen grain alone is timed first:
  /// if it takes longer here, the choice saves less.
  WatchAccount::Nanoseconds measuredOriginal;
  bool isChosenKnown = false;
  WatchAccount::Nanoseconds hostCost = std::chrono::microseconds(10); ///< of a pair, as expected
  WatchAccount::Nanoseconds hostCostNow = {};                         ///< of the pair in progress
};

} // namespace regrain
