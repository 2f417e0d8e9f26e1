//===- residents.h - Blocks that may wait -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block that waits for another block, for another launch or for the host must not
// keep those from running. Each block of such a launch that has begun therefore has a
// thread of the operating system for itself, which progresses independently of the
// others; none of them is one of the threads on which all other launches run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cpu/execution.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace regrain::cpu {

/// The threads start as they are needed and end when they have been idle for a
/// while.
class Crew : public std::enable_shared_from_this<Crew> {
public:
  /// Runs `work` on a thread of its own; returns false if none is available.
  [[nodiscard]] bool start(std::function<void()> work);

private:
  void serve(std::function<void()> work);

  std::mutex mutex;
  std::condition_variable filled;
  std::deque<std::function<void()>> queue;
  size_t idle = 0;
};

/// Runs one launch.
class Residents : public std::enable_shared_from_this<Residents> {
public:
  Residents(LaunchRun &run, Crew &crew) : run(run), crew(crew) {}

  /// Begins blocks in the order of their indices: `first` at once, and more if the begun
  /// ones do not end: up to `promised`, and beyond that if all of those were seen to
  /// wait. Returns when all are complete, or the run was stopped. Fails the run if the
  /// promised number of blocks cannot run.
  void runAll(uint64_t first, uint64_t promised);

private:
  bool grow(uint64_t count);
  uint64_t missing(uint64_t promised);
  void work();

  LaunchRun &run;
  Crew &crew;
  std::atomic<uint64_t> next = 0, ended = 0;
  std::mutex mutex;
  std::condition_variable left;
  uint64_t threads = 0; ///< threads that have not ended
};

} // namespace regrain::cpu
