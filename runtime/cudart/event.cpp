//===- event.cpp - Events of the runtime API ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

using namespace regrain;

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  return onDevice([&](Device &device) {
    constexpr unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    bool isShared = flags & cudaEventInterprocess; // such an event has no times
    bool isRight = !(flags & ~known) && (!isShared || (flags & cudaEventDisableTiming));
    return event && isRight ? device.createEvent(flags, *event) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return onDevice([&](Device &device) {
    return event ? device.destroyEvent(event) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return onDevice([&](Device &device) {
    return event ? device.recordEvent(event, stream, flags) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return onDevice([&](Device &device) {
    return event ? device.synchronizeEvent(event) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return onDevice([&](Device &device) {
    return event ? device.queryEvent(event) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return onDevice([&](Device &device) {
    if (!milliseconds)
      return cudaErrorInvalidValue;
    return start && end ? device.elapsedTime(start, end, *milliseconds)
                        : cudaErrorInvalidResourceHandle;
  });
}
