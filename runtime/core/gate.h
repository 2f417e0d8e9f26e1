//===- gate.h - The gate of the program's calls -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a launch is sampled, nothing else in the process may touch the device: a
// sample saves, changes and restores memory that other threads copy to and free. Every
// entry of the API therefore passes the gate, and a sample closes it: it waits for the
// calls in progress, and new calls wait until it ends.
//
// A call may stay in progress as long as the sample's own thread does nothing, and a
// host function of a stream may wait for a thread that waits at the gate. Closing
// therefore has a deadline, and the thread that closed the gate opens it again if
// something does not complete: then there is no sample.
//
// Without REGRAIN_TUNE a passage costs one relaxed load.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace regrain {

/// The tuning library reaches the gate through the virtual functions.
class Gate {
public:
  static Gate &get();

  /// Returns whether the process tunes, so that calls of the program wait for
  /// samples.
  static bool isGuarded() { return mode.load(std::memory_order_relaxed) == Mode::Guarded; }

  /// The calling thread is in a call of the program during the lifetime of this object.
  /// Passages nest: only the outermost waits and counts.
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

  /// The calling thread is outside during the lifetime of this object, even within a
  /// passage: for a wait that a sample may end. The destructor passes the gate again.
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
  /// a call. Returns false, with the gate open, if some of them are still in a call at
  /// `deadline`. One thread calls this at a time.
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

  /// The mode is Unknown until the first call, and then Guarded if the process
  /// tunes.
  static std::atomic<Mode> mode;

  std::mutex mutex;
  std::condition_variable changed;
  uint64_t inside = 0; ///< number of threads in a passage
  bool isClosed = false;
};

} // namespace regrain
