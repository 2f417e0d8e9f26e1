//===- memory.cpp - An AMD GPU: memory ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of copies, flags of host memory and advices have the same values in CUDA and in
// HIP, so they pass unchanged.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/device.h"

namespace regrain::hip {

cudaError_t HipDevice::allocate(size_t bytes, void *&out) {
  return toRuntime(library.malloc(&out, bytes));
}

cudaError_t HipDevice::allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) {
  return toRuntime(library.mallocPitch(&out, &pitch, width, height));
}

cudaError_t HipDevice::free(void *pointer) { return toRuntime(library.free(pointer)); }

// Before HIP 5.2, allocations cannot be ordered in streams: memory is freed when an
// event has completed.
cudaError_t HipDevice::allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) {
  if (library.mallocAsync)
    return toRuntime(library.mallocAsync(&out, bytes, toHip(stream)));
  freeRetired();
  return allocate(bytes, out);
}

cudaError_t HipDevice::freeInOrder(void *pointer, cudaStream_t stream) {
  if (library.freeAsync)
    return toRuntime(library.freeAsync(pointer, toHip(stream)));
  freeRetired();
  cudaEvent_t event = nullptr;
  if (cudaError_t status = createEvent(cudaEventDisableTiming, event); status != cudaSuccess)
    return status;
  if (cudaError_t status = recordEvent(event, stream, 0); status != cudaSuccess) {
    static_cast<void>(destroyEvent(event));
    return status;
  }
  std::lock_guard lock(retiring);
  retired.push_back({pointer, event});
  return cudaSuccess;
}

void HipDevice::freeRetired() {
  std::lock_guard lock(retiring);
  std::erase_if(retired, [&](const Retired &each) {
    if (queryEvent(each.event) != cudaSuccess)
      return false;
    // An error has no caller to report to.
    static_cast<void>(destroyEvent(each.event));
    static_cast<void>(free(each.pointer));
    return true;
  });
}

cudaError_t HipDevice::allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) {
  return toRuntime(kind == HostMemory::Pinned ? library.hostMalloc(&out, bytes, flags)
                                              : library.mallocManaged(&out, bytes, flags));
}

cudaError_t HipDevice::freeHost(void *pointer) { return toRuntime(library.hostFree(pointer)); }

cudaError_t HipDevice::registerHost(void *pointer, size_t bytes, unsigned flags) {
  return toRuntime(library.hostRegister(pointer, bytes, flags));
}

cudaError_t HipDevice::unregisterHost(void *pointer) {
  return toRuntime(library.hostUnregister(pointer));
}

cudaError_t HipDevice::hostDevicePointer(void *host, void *&device) {
  return toRuntime(library.hostGetDevicePointer(&device, host, /*flags=*/0));
}

/// HIP adds flags of its own, above CUDA's.
cudaError_t HipDevice::hostFlags(void *host, unsigned &flags) {
  HipResult result = library.hostGetFlags(&flags, host);
  flags &= cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  return toRuntime(result);
}

/// hipMemoryType of HIP 5 has no value for memory that HIP does not know, and the call fails
/// for it; since HIP 6, the type is cudaMemoryType.
static cudaMemoryType typeOf(const HipPointerAttributes &attributes, bool hasAbi6) {
  if (attributes.isManaged)
    return cudaMemoryTypeManaged;
  switch (attributes.type + (hasAbi6 ? 0 : 1)) {
  case 1:
    return cudaMemoryTypeHost;
  case 2:
    return cudaMemoryTypeDevice;
  default:
    return cudaMemoryTypeUnregistered;
  }
}

cudaError_t HipDevice::pointerAttributes(const void *pointer, cudaPointerAttributes &out) {
  HipPointerAttributes attributes = {};
  HipResult result = library.pointerGetAttributes(&attributes, pointer);
  bool isUnknown = result == HipResult::InvalidValue;
  if (result != HipResult::Success && !isUnknown)
    return toRuntime(result);
  out = {};
  out.type = isUnknown ? cudaMemoryTypeUnregistered : typeOf(attributes, library.hasAbi6());
  out.device = cudaInvalidDeviceId;
  if (out.type == cudaMemoryTypeUnregistered) {
    out.hostPointer = const_cast<void *>(pointer);
    return cudaSuccess;
  }
  out.device = attributes.device;
  out.devicePointer = attributes.devicePointer;
  out.hostPointer = attributes.hostPointer;
  return cudaSuccess;
}

//===--- Copies and fills ------------------------------------------------===//

cudaError_t HipDevice::copy(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                            cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  const auto &[width, height] = rows;
  if (height == 1 || (toPitch == width && fromPitch == width))
    return toRuntime(async ? library.memcpyAsync(to, from, width * height, kind, toHip(stream))
                           : library.memcpy(to, from, width * height, kind));
  return toRuntime(async ? library.memcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind,
                                                 toHip(stream))
                         : library.memcpy2D(to, toPitch, from, fromPitch, width, height, kind));
}

cudaError_t HipDevice::fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                            bool async) {
  const auto &[width, height] = rows;
  if (height == 1 || pitch == width)
    return toRuntime(async ? library.memsetAsync(to, value, width * height, toHip(stream))
                           : library.memset(to, value, width * height));
  return toRuntime(async ? library.memset2DAsync(to, pitch, value, width, height, toHip(stream))
                         : library.memset2D(to, pitch, value, width, height));
}

cudaError_t HipDevice::prefetch(const void *pointer, size_t bytes, int toDevice,
                                cudaStream_t stream) {
  return toRuntime(library.memPrefetchAsync(pointer, bytes, toDevice, toHip(stream)));
}

cudaError_t HipDevice::advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                              int device) {
  return toRuntime(library.memAdvise(pointer, bytes, advice, device));
}

cudaError_t HipDevice::comparePages(const void *left, const void *right, size_t bytes,
                                    size_t pageBytes, std::span<uint8_t> differs) {
  return comparison.run(left, right, bytes, pageBytes, differs);
}

} // namespace regrain::hip
