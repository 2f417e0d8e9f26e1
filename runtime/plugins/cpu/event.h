//===- event.h - Events of the CPU device -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cpu/capture.h"

#include <chrono>
#include <set>

namespace regrain::cpu {

/// One recording of an event: its place in a stream, and the time when that was
/// reached.
struct Recording {
  Ticket ticket;
  std::chrono::steady_clock::time_point time;
};

/// The consequence of waiting for an event.
struct EventPoint {
  bool isRecorded = false;
  Ticket ticket;
  std::shared_ptr<const CapturedPoint> captured; ///< null unless last recorded in a capture
};

class Events {
public:
  Events(Streams &streams, Captures &captures) : streams(streams), captures(captures) {}

  cudaEvent_t create(unsigned flags);
  [[nodiscard]] cudaError_t destroy(cudaEvent_t handle);
  [[nodiscard]] cudaError_t record(cudaEvent_t handle, const std::shared_ptr<Stream> &stream);
  [[nodiscard]] cudaError_t recordCaptured(cudaEvent_t handle,
                                           std::shared_ptr<const CapturedPoint> point);
  /// Records an event that is reached with `ticket`, and has the time of the latest stamp before.
  [[nodiscard]] cudaError_t recordAt(cudaEvent_t handle, Ticket ticket);
  /// Sets the time of the event's recording; does nothing if the event is gone.
  void stamp(cudaEvent_t handle);
  [[nodiscard]] cudaError_t synchronize(cudaEvent_t handle);
  [[nodiscard]] cudaError_t query(cudaEvent_t handle);
  [[nodiscard]] cudaError_t elapsed(cudaEvent_t start, cudaEvent_t end, float &milliseconds);
  [[nodiscard]] cudaError_t pointOf(cudaEvent_t handle, EventPoint &out);
  void destroyAll();

private:
  struct Event {
    unsigned flags;
    std::shared_ptr<Recording> recording;
    std::shared_ptr<const CapturedPoint> captured; ///< there is no recording then
  };
  cudaError_t snapshot(cudaEvent_t handle, Event &out);
  cudaError_t ticketOf(cudaEvent_t handle, Ticket &out);

  Streams &streams;
  Captures &captures;
  std::mutex mutex;
  std::map<cudaEvent_t, std::unique_ptr<Event>> events;
};

} // namespace regrain::cpu
