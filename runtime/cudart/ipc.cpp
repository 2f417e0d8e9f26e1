//===- ipc.cpp - Memory and events of several processes -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning must know which memory another process can change, in either direction.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

using namespace regrain;

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!handle || !pointer)
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->shareMemory(pointer, *handle);
    if (status == cudaSuccess)
      current.allocations.share(pointer);
    return status;
  });
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!pointer)
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->openShared(handle, flags, *pointer);
    // The size is not known; an address further inside counts as memory of others.
    if (status == cudaSuccess)
      current.allocations.add(*pointer, 1, MemoryKind::Shared);
    return status;
  });
}

cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    cudaError_t status = current.device->closeShared(pointer);
    if (status == cudaSuccess)
      static_cast<void>(current.allocations.take(pointer));
    return status;
  });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  return onDevice([&](Device &device) {
    return handle && event ? device.shareEvent(event, *handle) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  return onDevice([&](Device &device) {
    return event ? device.openShared(handle, *event) : cudaErrorInvalidValue;
  });
}
