//===- launch_timer.h - The time that one launch takes ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of the program is timed without waiting for it: two events in its stream tell the time
// once the device has passed both.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <optional>

namespace regrain {

/// Two events around a launch. The device must outlive them.
class LaunchTimer {
public:
  /// Records the first event; returns nothing if the device cannot.
  [[nodiscard]] static std::optional<LaunchTimer> begin(Device &device, cudaStream_t stream);
  LaunchTimer(LaunchTimer &&other) noexcept;
  LaunchTimer &operator=(LaunchTimer &&) = delete;
  ~LaunchTimer();

  /// Records the second event; returns false if the device cannot.
  [[nodiscard]] bool end(cudaStream_t stream);
  /// Returns cudaErrorNotReady as long as the device has not passed the second event.
  [[nodiscard]] cudaError_t query() { return device->queryEvent(stop); }
  /// Yields the time between the events, of which query() returned that they have passed.
  [[nodiscard]] cudaError_t read(double &microseconds);

private:
  explicit LaunchTimer(Device &device) : device(&device) {}

  Device *device;
  cudaEvent_t start = nullptr, stop = nullptr;
};

} // namespace regrain
