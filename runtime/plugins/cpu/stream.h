//===- stream.h - Streams of the CPU device ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace regrain::cpu {

class Stream;

/// A point in a stream's work. A default-constructed point is already reached.
struct Ticket {
  std::shared_ptr<Stream> stream;
  uint64_t number = 0;

  bool isReached() const;
  void wait() const;
};

using Work = std::function<void()>;

/// A queue of work, which a thread of its own executes in order.
class Stream : public std::enable_shared_from_this<Stream> {
public:
  Stream(unsigned flags, int priority) : flags(flags), priority(priority) {}

  /// Queues work that begins when `after` is reached.
  [[nodiscard]] cudaError_t push(Work work, std::vector<Ticket> after, Ticket &done);
  /// Returns the end of the work that is queued so far.
  Ticket last();
  /// Closes the queue; the thread ends when it has executed the rest.
  void finish();

  bool isReached(uint64_t number);
  void wait(uint64_t number);
  /// Returns false if the deadline passed first.
  bool waitUntil(uint64_t number, std::chrono::steady_clock::time_point deadline);
  bool isBlocking() const { return !(flags & cudaStreamNonBlocking); }

  const unsigned flags;
  const int priority;

private:
  struct Operation {
    Work work;
    std::vector<Ticket> after;
  };
  void run();

  std::mutex mutex;
  std::condition_variable filled, advanced;
  std::deque<Operation> queue;
  uint64_t queued = 0, completed = 0;
  bool hasThread = false, isFinishing = false;
};

/// All streams of the device and the order between them: work in the legacy
/// default stream waits for all earlier work in blocking streams, and later work
/// in blocking streams waits for it.
class Streams {
public:
  Streams();

  cudaStream_t create(unsigned flags, int priority);
  [[nodiscard]] cudaError_t destroy(cudaStream_t handle);
  /// Returns null for a handle that is not a stream.
  std::shared_ptr<Stream> find(cudaStream_t handle);

  /// Queues work in the order of the rule above, and after `others`.
  [[nodiscard]] cudaError_t submit(const std::shared_ptr<Stream> &stream, Work work, Ticket &done,
                                   std::vector<Ticket> others = {});
  /// Returns the points that work submitted to `stream` now would wait for,
  /// without those already reached.
  std::vector<Ticket> pending(const std::shared_ptr<Stream> &stream);
  /// Returns the ends of all streams.
  std::vector<Ticket> pendingEverywhere();
  /// Destroys the streams that the program created.
  void destroyAll();

private:
  std::vector<Ticket> predecessors(const std::shared_ptr<Stream> &stream);
  void addUnnamed(const std::shared_ptr<Stream> &stream);
  std::shared_ptr<Stream> perThread();

  std::mutex order;
  std::shared_ptr<Stream> legacy;
  std::map<cudaStream_t, std::shared_ptr<Stream>> created;
  /// The streams of threads, and those that were destroyed while they had
  /// pending work.
  std::vector<std::weak_ptr<Stream>> unnamed;
};

} // namespace regrain::cpu
