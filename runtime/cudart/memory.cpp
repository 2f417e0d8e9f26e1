//===- memory.cpp - Memory of the runtime API -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

using namespace regrain;

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return onDevice([&](Device &device) {
    if (!pointer)
      return cudaErrorInvalidValue;
    *pointer = nullptr;
    return bytes ? device.allocate(bytes, *pointer) : cudaSuccess;
  });
}

cudaError_t cudaFree(void *pointer) {
  return onDevice([&](Device &device) { return pointer ? device.free(pointer) : cudaSuccess; });
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return onDevice([&](Device &device) {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (!pointer || (flags & ~known))
      return cudaErrorInvalidValue;
    *pointer = nullptr;
    return bytes ? device.allocateHost(HostMemory::Pinned, bytes, flags, *pointer) : cudaSuccess;
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) {
  return onDevice([&](Device &device) { return pointer ? device.freeHost(pointer) : cudaSuccess; });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  return onDevice([&](Device &device) {
    return pointer && bytes ? device.registerHost(pointer, bytes, flags) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return onDevice([&](Device &device) {
    return pointer ? device.unregisterHost(pointer) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
  return onDevice([&](Device &current) {
    return device && host && flags == 0 ? current.hostDevicePointer(host, *device)
                                        : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  return onDevice([&](Device &device) {
    return flags && host ? device.hostFlags(host, *flags) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return onDevice([&](Device &device) {
    if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return device.allocateHost(HostMemory::Managed, bytes, flags, *pointer);
  });
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return onDevice([&](Device &device) {
    if (!pointer || !pitch)
      return cudaErrorInvalidValue;
    *pointer = nullptr;
    *pitch = 0;
    return width && height ? device.allocatePitched(width, height, *pointer, *pitch) : cudaSuccess;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  size_t rows = 0;
  if (!pointer || __builtin_mul_overflow(extent.height, extent.depth, &rows))
    return entry([] { return cudaErrorInvalidValue; });
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

// Memory from cudaMalloc satisfies the order that the stream asks for.
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMalloc(pointer, bytes);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  return onDevice([&](Device &device) {
    cudaError_t status = device.synchronizeStream(stream);
    return status == cudaSuccess && pointer ? device.free(pointer) : status;
  });
}

cudaError_t cudaMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  return onDevice([&](Device &device) {
    return freeBytes && totalBytes ? device.memoryInfo(*freeBytes, *totalBytes)
                                   : cudaErrorInvalidValue;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return onDevice([&](Device &device) {
    return attributes ? device.pointerAttributes(pointer, *attributes) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return onDevice([&](Device &current) {
    return pointer && bytes ? current.prefetch(pointer, bytes, device, stream)
                            : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return onDevice([&](Device &current) {
    return pointer && bytes ? current.advise(pointer, bytes, advice, device)
                            : cudaErrorInvalidValue;
  });
}
