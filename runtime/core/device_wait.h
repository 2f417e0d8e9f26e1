//===- device_wait.h - Waiting for a device, with a deadline ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No device can tell whether any of its streams has pending work, and none can abandon
// a wait. A separate thread therefore waits for the device, and callers wait for that
// thread until their deadline.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <chrono>
#include <memory>
#include <optional>

namespace regrain {

/// One thread calls at a time. The device outlives the process's threads.
class DeviceWait {
public:
  DeviceWait() = default;
  ~DeviceWait();
  DeviceWait(const DeviceWait &) = delete;
  DeviceWait &operator=(const DeviceWait &) = delete;

  /// Waits for all work that was given to `device`, which is the same in all calls. Returns
  /// nothing if the work is not complete at `deadline`, or no thread can be started for the
  /// wait.
  [[nodiscard]] std::optional<cudaError_t> until(Device &device,
                                                 std::chrono::steady_clock::time_point deadline);

private:
  struct Waiter;

  std::shared_ptr<Waiter> waiter; ///< shared with the thread, which may outlive this object
};

} // namespace regrain
