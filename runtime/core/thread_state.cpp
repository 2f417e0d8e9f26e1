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

/// Opens the device, and binds the calling thread to it.
static cudaError_t bind(int ordinal, OpenDevice *&out) {
  OpenDevice *opened = nullptr;
  if (cudaError_t status = Platform::get().open(ordinal, opened); status != cudaSuccess)
    return status;
  // The count is read before the binding: after a reset meanwhile, the thread
  // binds again at its next call.
  uint32_t resets = opened->resets.load(std::memory_order_acquire);
  DriverCall mayStartThreads;
  if (cudaError_t status = opened->device->bindThread(); status != cudaSuccess)
    return status;
  ThreadState &thread = ThreadState::get();
  out = thread.device = opened;
  thread.resetsOfDevice = resets;
  return cudaSuccess;
}

cudaError_t currentOrdinal(int &out) {
  Platform &platform = Platform::get();
  if (cudaError_t status = platform.status(); status != cudaSuccess)
    return status;
  auto *currentOfPlugin = platform.chosenPlugin().currentOrdinal;
  int ordinal = currentOfPlugin ? currentOfPlugin() : -1;
  if (!platform.hasDevice(ordinal))
    ordinal = ThreadState::get().ordinal;
  out = ordinal < 0 ? platform.defaultOrdinal() : ordinal;
  return cudaSuccess;
}

cudaError_t currentDevice(OpenDevice *&out) {
  out = ThreadState::get().boundDevice();
  if (out && out->device->isBound())
    return cudaSuccess;
  out = nullptr;
  int ordinal = 0;
  if (cudaError_t status = currentOrdinal(ordinal); status != cudaSuccess)
    return status;
  return bind(ordinal, out);
}

cudaError_t setCurrentDevice(int ordinal) {
  Platform &platform = Platform::get();
  if (cudaError_t status = platform.status(); status != cudaSuccess)
    return status;
  if (!platform.hasDevice(ordinal))
    return cudaErrorInvalidDevice;
  ThreadState &thread = ThreadState::get();
  thread.ordinal = ordinal;
  OpenDevice *bound = thread.boundDevice();
  bool isCurrent = bound && bound->ordinal == ordinal && bound->device->isBound();
  if (isCurrent)
    return cudaSuccess;
  thread.device = nullptr;
  return bind(ordinal, bound);
}

} // namespace regrain
