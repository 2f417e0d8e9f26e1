//===- device_wait.cpp - Waiting for a device, with a deadline ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/device_wait.h"

#include "runtime/core/own_threads.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace regrain {

/// A wait serves only the callers that asked before it began: one that has begun may
/// not cover the work of a later caller.
struct DeviceWait::Waiter {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t asked = 0, done = 0;
  cudaError_t result = cudaSuccess;
  bool isLeft = false;

  void run(Device &device) {
    OwnThread here;
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return isLeft || asked > done; });
      if (isLeft)
        return;
      uint64_t number = asked;
      lock.unlock();
      cudaError_t status = device.bindThread(); // a reset by the program unbinds it
      if (status == cudaSuccess)
        status = device.synchronize();
      lock.lock();
      done = number;
      result = status;
      changed.notify_all();
    }
  }
};

DeviceWait::~DeviceWait() {
  if (!waiter)
    return;
  std::lock_guard lock(waiter->mutex);
  waiter->isLeft = true;
  waiter->changed.notify_all();
}

std::optional<cudaError_t> DeviceWait::until(Device &device,
                                             std::chrono::steady_clock::time_point deadline) {
  if (!waiter) {
    auto made = std::make_shared<Waiter>();
    try {
      std::thread([made, &device] { made->run(device); }).detach();
    } catch (const std::system_error &) {
      return std::nullopt;
    }
    waiter = std::move(made);
  }
  std::unique_lock lock(waiter->mutex);
  uint64_t number = ++waiter->asked;
  waiter->changed.notify_all();
  if (!waiter->changed.wait_until(lock, deadline, [&] { return waiter->done >= number; }))
    return std::nullopt;
  return waiter->result;
}

} // namespace regrain
