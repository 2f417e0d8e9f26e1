//===- stream.cpp - Streams of the runtime API ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/cudart/capture.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/stream_table.h"

#include <memory>

using namespace regrain;

namespace {

/// The argument of cudaStreamAddCallback; the callback's call frees it.
struct Callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void *userData;
};

void runCallback(void *data) {
  std::unique_ptr<Callback> callback(static_cast<Callback *>(data));
  callback->function(callback->stream, cudaSuccess, callback->userData);
}

} // namespace

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!stream || flags > cudaStreamNonBlocking)
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->createStream(flags, priority, *stream);
    if (status != cudaSuccess)
      return status;
    StreamTable &table = StreamTable::get();
    std::lock_guard lock(table.mutex);
    table.add(*stream, current.ordinal);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return onDevice([&](Device &device) {
    // The built-in streams cannot be destroyed.
    bool isBuiltin = !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    if (isBuiltin)
      return cudaErrorInvalidResourceHandle;
    forgetStream(stream);
    {
      StreamTable &table = StreamTable::get();
      std::lock_guard lock(table.mutex);
      table.remove(stream);
    }
    return device.destroyStream(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return onDevice([&](Device &device) { return device.synchronizeStream(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return onDevice([&](Device &device) { return device.queryStream(stream); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return onDevice([&](Device &device) {
    return event ? device.streamWaitEvent(stream, event, flags) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags) {
  return onDevice([&](Device &device) {
    if (!callback || flags != 0)
      return cudaErrorInvalidValue;
    if (cudaError_t status = refuseCapture(device, stream); status != cudaSuccess)
      return status;
    auto data = std::make_unique<Callback>(Callback{callback, stream, userData});
    cudaError_t status = device.launchHostFunction(stream, runCallback, data.get());
    if (status == cudaSuccess)
      static_cast<void>(data.release());
    return status;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *userData) {
  return onDevice([&](Device &device) {
    return function ? device.launchHostFunction(stream, function, userData) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  return onDevice([&](Device &device) {
    return flags ? device.streamFlags(stream, *flags) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  return onDevice([&](Device &device) {
    return priority ? device.streamPriority(stream, *priority) : cudaErrorInvalidValue;
  });
}

// Managed memory is visible to all streams and the host at all times; the
// program only promises to use it less widely.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned int flags) {
  return onDevice([&](Device &device) {
    bool isKnown =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    return pointer && isKnown ? refuseCapture(device, stream) : cudaErrorInvalidValue;
  });
}
