//===- gate.h - What every call of the program passes -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a launch is sampled nothing else of the process may touch the device: a sample
// saves, changes and restores memory that other threads copy to and free. So every
// entry of the API passes the gate, and a sample closes it: it waits for the calls
// that are under way, and calls that come then wait for its end.
//
// A call may be under way for as long as the sample's own thread does nothing, and a
// host function of a stream may wait for a thread that stands before the gate. So
// closing has a time limit, and who closed the gate opens it again where something
// does not come to its end: then there is no sample.
//
// Without REGRAIN_TUNE a passage is one relaxed load.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace regrain {

/// The tuning library reaches it through what is virtual.
class Gate {
public:
  static Gate &get();

  /// Whether the process tunes, so that calls of the program wait for samples.
  static bool isGuarded() { return mode.load(std::memory_order_relaxed) == Mode::Guarded; }

  /// While it lives, the calling thread is in a call of the program. Passages nest: the
  /// outermost alone waits and counts.
  class Passage {
  public:
    Passage() : isCounted(mode.load(std::memory_order_relaxed) != Mode::Open && get().enter()) {}
    ~Passage() {
      if (isCounted)
        get().leave();
    }
    Passage(const Passage &) = delete;
    Passage &operator=(const Passage &) = delete;

  private:
    bool isCounted;
  };

  /// While it lives, the calling thread stands outside, though it be in a passage: for a
  /// wait that ends when a sample does. At its end the thread passes again.
  class Outside {
  public:
    explicit Outside(Gate &gate) : gate(gate), wasInside(gate.stepOut()) {}
    ~Outside() {
      if (wasInside)
        gate.stepIn();
    }
    Outside(const Outside &) = delete;
    Outside &operator=(const Outside &) = delete;

  private:
    Gate &gate;
    bool wasInside;
  };

  /// Closes the gate to all threads but the calling one, and waits for those that are in
  /// a call. False, and the gate is open, where they still are at `deadline`. One thread
  /// at a time.
  [[nodiscard]] virtual bool close(std::chrono::steady_clock::time_point deadline);
  virtual void open();

  virtual ~Gate() = default;

private:
  enum class Mode : uint8_t { Unknown, Open, Guarded };

  bool enter();
  void leave();
  virtual bool stepOut();
  virtual void stepIn();
  static Mode decide();

  /// Unknown until the first call: Guarded where the process tunes.
  static std::atomic<Mode> mode;

  std::mutex mutex;
  std::condition_variable changed;
  uint64_t inside = 0; ///< threads in a passage
  bool isClosed = false;
};

} // namespace regrain
