//===- stand_in_memory.cpp - A libamdhip64.so on the CPU: memory ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/hip/stand_in_calls.h"

using namespace regrain;

/// This is hipHostMallocCoherent, which HIP adds by itself.
static constexpr unsigned ownHostFlag = 0x40000000;

HipResult standIn_memGetInfo(size_t *freeBytes, size_t *totalBytes) {
  return answer("hipMemGetInfo", [&] { return backend().memoryInfo(*freeBytes, *totalBytes); });
}

HipResult standIn_malloc(void **pointer, size_t bytes) {
  return answerCounted("hipMalloc", "hipMalloc", 1,
                       [&] { return backend().allocate(bytes, *pointer); });
}

HipResult standIn_mallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return answerCounted("hipMallocPitch", "hipMalloc", 1,
                       [&] { return backend().allocatePitched(width, height, *pointer, *pitch); });
}

/// The stand-in's devices are not peers.
HipResult standIn_deviceCanAccessPeer(int *canAccess, int, int) {
  return answer("hipDeviceCanAccessPeer", [&] {
    *canAccess = 0;
    return cudaSuccess;
  });
}

HipResult standIn_deviceGetP2PAttribute(int *value, int, int, int) {
  return answer("hipDeviceGetP2PAttribute", [&] {
    *value = 0;
    return cudaSuccess;
  });
}

HipResult standIn_deviceEnablePeerAccess(int, unsigned) {
  return answer("hipDeviceEnablePeerAccess", [] { return cudaErrorPeerAccessUnsupported; });
}

HipResult standIn_deviceDisablePeerAccess(int) {
  return answer("hipDeviceDisablePeerAccess", [] { return cudaErrorPeerAccessNotEnabled; });
}

HipResult standIn_mallocManaged(void **pointer, size_t bytes, unsigned flags) {
  return answerCounted("hipMallocManaged", "hipMalloc", 1, [&] {
    return backend().allocateHost(HostMemory::Managed, bytes, flags, *pointer);
  });
}

HipResult standIn_free(void *pointer) {
  return answerCounted("hipFree", "hipMalloc", -1, [&] { return backend().free(pointer); });
}

#if REGRAIN_STAND_IN_VERSION >= 502
HipResult standIn_mallocAsync(void **pointer, size_t bytes, HipStream stream) {
  return answerCounted("hipMallocAsync", "hipMalloc", 1, [&] {
    return backend().allocateInOrder(bytes, reinterpret_cast<cudaStream_t>(stream), *pointer);
  });
}

HipResult standIn_freeAsync(void *pointer, HipStream stream) {
  return answerCounted("hipFreeAsync", "hipMalloc", -1, [&] {
    return backend().freeInOrder(pointer, reinterpret_cast<cudaStream_t>(stream));
  });
}
#endif

HipResult standIn_hostMalloc(void **pointer, size_t bytes, unsigned flags) {
  return answerCounted("hipHostMalloc", "hipHostMalloc", 1, [&] {
    return backend().allocateHost(HostMemory::Pinned, bytes, flags, *pointer);
  });
}

HipResult standIn_hostFree(void *pointer) {
  return answerCounted("hipHostFree", "hipHostMalloc", -1,
                       [&] { return backend().freeHost(pointer); });
}

HipResult standIn_hostRegister(void *pointer, size_t bytes, unsigned flags) {
  return answerCounted("hipHostRegister", "hipHostRegister", 1,
                       [&] { return backend().registerHost(pointer, bytes, flags); });
}

HipResult standIn_hostUnregister(void *pointer) {
  return answerCounted("hipHostUnregister", "hipHostRegister", -1,
                       [&] { return backend().unregisterHost(pointer); });
}

HipResult standIn_hostGetDevicePointer(void **device, void *host, unsigned) {
  return answer("hipHostGetDevicePointer",
                [&] { return backend().hostDevicePointer(host, *device); });
}

HipResult standIn_hostGetFlags(unsigned *flags, void *host) {
  return answer("hipHostGetFlags", [&] {
    cudaError_t status = backend().hostFlags(host, *flags);
    *flags |= ownHostFlag;
    return status;
  });
}

/// HIP 5 counts kinds of memory from 0 and fails for memory that it does not know.
HipResult standIn_pointerGetAttributes(HipPointerAttributes *out, const void *pointer) {
  return answer("hipPointerGetAttributes", [&] {
    cudaPointerAttributes found = {};
    cudaError_t status = backend().pointerAttributes(pointer, found);
    if (status != cudaSuccess)
      return status;
    bool isKnown = found.type != cudaMemoryTypeUnregistered;
    if ((!isKnown && !hasAbi6) || (!pointer && !hasAbi7))
      return cudaErrorInvalidValue;
    bool isManaged = found.type == cudaMemoryTypeManaged;
    *out = {hasAbi6     ? int(found.type)
            : isManaged ? 1
                        : int(found.type) - 1,
            found.device,
            found.devicePointer,
            found.hostPointer,
            isManaged,
            0};
    return cudaSuccess;
  });
}

HipResult standIn_memcpy(void *to, const void *from, size_t bytes, int kind) {
  return answer("hipMemcpy", [&] {
    return backend().copy(to, 0, from, 0, {bytes, 1}, cudaMemcpyKind(kind), nullptr, false);
  });
}

HipResult standIn_memcpyAsync(void *to, const void *from, size_t bytes, int kind,
                              HipStream stream) {
  return answerOn(stream, "hipMemcpyAsync", [&](cudaStream_t on) {
    return backend().copy(to, 0, from, 0, {bytes, 1}, cudaMemcpyKind(kind), on, true);
  });
}

HipResult standIn_memcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                           size_t width, size_t height, int kind) {
  return answer("hipMemcpy2D", [&] {
    return backend().copy(to, toPitch, from, fromPitch, {width, height}, cudaMemcpyKind(kind),
                          nullptr, false);
  });
}

HipResult standIn_memcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch,
                                size_t width, size_t height, int kind, HipStream stream) {
  return answerOn(stream, "hipMemcpy2DAsync", [&](cudaStream_t on) {
    return backend().copy(to, toPitch, from, fromPitch, {width, height}, cudaMemcpyKind(kind), on,
                          true);
  });
}

HipResult standIn_memset(void *to, int value, size_t bytes) {
  return answer("hipMemset",
                [&] { return backend().fill(to, 0, value, {bytes, 1}, nullptr, false); });
}

HipResult standIn_memsetAsync(void *to, int value, size_t bytes, HipStream stream) {
  return answerOn(stream, "hipMemsetAsync", [&](cudaStream_t on) {
    return backend().fill(to, 0, value, {bytes, 1}, on, true);
  });
}

HipResult standIn_memset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return answer("hipMemset2D",
                [&] { return backend().fill(to, pitch, value, {width, height}, nullptr, false); });
}

HipResult standIn_memset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                HipStream stream) {
  return answerOn(stream, "hipMemset2DAsync", [&](cudaStream_t on) {
    return backend().fill(to, pitch, value, {width, height}, on, true);
  });
}

HipResult standIn_memPrefetchAsync(const void *pointer, size_t bytes, int device,
                                   HipStream stream) {
  return answerOn(stream, "hipMemPrefetchAsync",
                  [&](cudaStream_t on) { return backend().prefetch(pointer, bytes, device, on); });
}

HipResult standIn_memAdvise(const void *pointer, size_t bytes, int advice, int device) {
  return answer("hipMemAdvise",
                [&] { return backend().advise(pointer, bytes, cudaMemoryAdvise(advice), device); });
}
