//===- device_wait.h - Waiting for a device, with an end --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No device can say of all its streams whether work is left, and none gives up a wait.
// So a thread of its own waits, and whoever asked waits for it as long as he likes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <chrono>
#include <memory>
#include <optional>

namespace regrain {

/// Calls come from one thread at a time. The device outlives the process's threads.
class DeviceWait {
public:
  DeviceWait() = default;
  ~DeviceWait();
  DeviceWait(const DeviceWait &) = delete;
  DeviceWait &operator=(const DeviceWait &) = delete;

  /// Waits for all work that `device`, the same in all calls, has been given; nothing where
  /// it is not done at `deadline`, or no thread can be had that waits.
  [[nodiscard]] std::optional<cudaError_t> until(Device &device,
                                                 std::chrono::steady_clock::time_point deadline);

private:
  struct Waiter;

  std::shared_ptr<Waiter> waiter; ///< with the thread: it may outlive this
};

} // namespace regrain
