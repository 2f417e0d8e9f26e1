//===- thread_state.cpp - State of the program's threads ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/thread_state.h"

#include "runtime/core/own_threads.h"

namespace regrain {

ThreadState &ThreadState::get() {
  static thread_local ThreadState state;
  return state;
}

cudaError_t currentOrdinal(int &out) {
  Platform &platform = Platform::get();
  if (cudaError_t status = platform.status(); status != cudaSuccess)
    return status;
  int ordinal = ThreadState::get().ordinal;
  out = ordinal < 0 ? platform.defaultOrdinal() : ordinal;
  return cudaSuccess;
}

cudaError_t currentDevice(OpenDevice *&out) {
  ThreadState &thread = ThreadState::get();
  out = thread.boundDevice();
  if (out)
    return cudaSuccess;
  int ordinal = 0;
  if (cudaError_t status = currentOrdinal(ordinal); status != cudaSuccess)
    return status;
  OpenDevice *opened = nullptr;
  if (cudaError_t status = Platform::get().open(ordinal, opened); status != cudaSuccess)
    return status;
  // The count is read before the binding: after a reset meanwhile, the thread
  // binds again at its next call.
  uint32_t resets = opened->resets.load(std::memory_order_acquire);
  DriverCall mayStartThreads;
  if (cudaError_t status = opened->device->bindThread(); status != cudaSuccess)
    return status;
  out = thread.device = opened;
  thread.resetsOfDevice = resets;
  return cudaSuccess;
}

cudaError_t setCurrentDevice(int ordinal) {
  Platform &platform = Platform::get();
  if (cudaError_t status = platform.status(); status != cudaSuccess)
    return status;
  if (ordinal < 0 || ordinal >= platform.deviceCount())
    return cudaErrorInvalidDevice;
  ThreadState &thread = ThreadState::get();
  if (thread.ordinal != ordinal)
    thread.device = nullptr;
  thread.ordinal = ordinal;
  OpenDevice *bound = nullptr;
  return currentDevice(bound);
}

} // namespace regrain
