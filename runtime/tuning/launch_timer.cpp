//===- launch_timer.cpp - The time that one launch takes ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/launch_timer.h"

#include <utility>

namespace regrain {

std::optional<LaunchTimer> LaunchTimer::begin(Device &device, cudaStream_t stream) {
  LaunchTimer timer(device);
  for (cudaEvent_t *event : {&timer.start, &timer.stop})
    if (device.createEvent(cudaEventDefault, *event) != cudaSuccess)
      return std::nullopt;
  if (device.recordEvent(timer.start, stream, 0) != cudaSuccess)
    return std::nullopt;
  return timer;
}

LaunchTimer::LaunchTimer(LaunchTimer &&other) noexcept
    : device(other.device), start(std::exchange(other.start, nullptr)),
      stop(std::exchange(other.stop, nullptr)) {}

LaunchTimer::~LaunchTimer() {
  for (cudaEvent_t event : {start, stop})
    if (event)
      static_cast<void>(device->destroyEvent(event)); // only the event itself would stay
}

bool LaunchTimer::end(cudaStream_t stream) {
  return device->recordEvent(stop, stream, 0) == cudaSuccess;
}

cudaError_t LaunchTimer::read(double &microseconds) {
  float milliseconds = 0;
  cudaError_t status = device->elapsedTime(start, stop, milliseconds);
  microseconds = double(milliseconds) * 1000;
  return status;
}

} // namespace regrain
