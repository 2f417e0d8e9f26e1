//===- memory_calls.cpp - Memory of the interpreting driver ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/lib/Cuda/driver_calls.h"

/// Calls the body with a pointer, whose address becomes the driver's.
template <typename Body> static CUresult giving(CUdeviceptr *address, Body body) {
  void *pointer = nullptr;
  CUresult result = asDriver(body(pointer));
  *address = reinterpret_cast<CUdeviceptr>(pointer);
  return result;
}

CUresult interpreted_memGetInfo(size_t *freeBytes, size_t *totalBytes) {
  return asDriver(backend().memoryInfo(*freeBytes, *totalBytes));
}

CUresult interpreted_memAlloc(CUdeviceptr *pointer, size_t bytes) {
  return giving(pointer, [&](void *&out) { return backend().allocate(bytes, out); });
}

CUresult interpreted_memAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                                   unsigned) {
  return giving(pointer,
                [&](void *&out) { return backend().allocatePitched(width, height, out, *pitch); });
}

CUresult interpreted_memAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned flags) {
  return giving(pointer, [&](void *&out) {
    return backend().allocateHost(HostMemory::Managed, bytes, flags, out);
  });
}

CUresult interpreted_memFree(CUdeviceptr pointer) {
  return asDriver(backend().free(pointerTo(pointer)));
}

CUresult interpreted_memAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
  return giving(pointer, [&](void *&out) { return backend().allocateInOrder(bytes, stream, out); });
}

CUresult interpreted_memFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return asDriver(backend().freeInOrder(pointerTo(pointer), stream));
}

/// It is null, as the CPU device's: the runtime counts what is allocated.
CUresult interpreted_deviceGetDefaultMemPool(cudaMemPool_t *pool, CUdevice) {
  return asDriver(backend().firstPool(*pool));
}

CUresult interpreted_memHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return asDriver(backend().allocateHost(HostMemory::Pinned, bytes, flags, *pointer));
}

CUresult interpreted_memFreeHost(void *pointer) { return asDriver(backend().freeHost(pointer)); }

CUresult interpreted_memHostRegister(void *pointer, size_t bytes, unsigned flags) {
  return asDriver(backend().registerHost(pointer, bytes, flags));
}

CUresult interpreted_memHostUnregister(void *pointer) {
  return asDriver(backend().unregisterHost(pointer));
}

CUresult interpreted_memHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned) {
  return giving(device, [&](void *&out) { return backend().hostDevicePointer(host, out); });
}

CUresult interpreted_memHostGetFlags(unsigned *flags, void *host) {
  return asDriver(backend().hostFlags(host, *flags));
}

/// Gives the attributes of CU_POINTER_ATTRIBUTE_ that plugins/cuda asks for; others stay as they
/// are, as those that the driver does not know of a pointer.
CUresult interpreted_pointerGetAttributes(unsigned count, int *attributes, void **data,
                                          CUdeviceptr pointer) {
  enum { MemoryType = 2, DevicePointer, HostPointer, IsManaged = 8, Ordinal, Begin = 11, Bytes };
  cudaPointerAttributes found = {};
  MemoryExtent extent = {};
  std::string reason;
  if (cudaError_t status = backend().pointerAttributes(pointerTo(pointer), found);
      status != cudaSuccess)
    return asDriver(status);
  if (found.type == cudaMemoryTypeUnregistered)
    return CUDA_SUCCESS;
  bool isExtentKnown = backend().memoryExtent(pointer, extent, reason) == cudaSuccess;
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] == MemoryType)
      *static_cast<DriverMemory *>(data[i]) =
          found.type == cudaMemoryTypeHost ? DriverMemory::Host : DriverMemory::Device;
    if (attributes[i] == DevicePointer)
      *static_cast<void **>(data[i]) = found.devicePointer;
    if (attributes[i] == HostPointer)
      *static_cast<void **>(data[i]) = found.hostPointer;
    if (attributes[i] == IsManaged)
      *static_cast<unsigned *>(data[i]) = found.type == cudaMemoryTypeManaged;
    if (attributes[i] == Ordinal)
      *static_cast<int *>(data[i]) = found.device;
    if (attributes[i] == Begin && isExtentKnown)
      *static_cast<CUdeviceptr *>(data[i]) = extent.begin;
    if (attributes[i] == Bytes && isExtentKnown)
      *static_cast<size_t *>(data[i]) = extent.bytes;
  }
  return CUDA_SUCCESS;
}

CUresult interpreted_memGetAddressRange(CUdeviceptr *begin, size_t *bytes, CUdeviceptr pointer) {
  MemoryExtent extent = {};
  std::string reason;
  cudaError_t status = backend().memoryExtent(pointer, extent, reason);
  *begin = extent.begin;
  *bytes = extent.bytes;
  return asDriver(status);
}

//===--- Copies and fills ------------------------------------------------===//

static CUresult copyLinear(void *to, const void *from, size_t bytes, CUstream stream,
                           bool isAsync) {
  return asDriver(backend().copy(to, 0, from, 0, {bytes, 1}, cudaMemcpyDefault, stream, isAsync));
}

CUresult interpreted_memcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return copyLinear(pointerTo(to), from, bytes, nullptr, false);
}

CUresult interpreted_memcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return copyLinear(to, pointerTo(from), bytes, nullptr, false);
}

CUresult interpreted_memcpyAny(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copyLinear(pointerTo(to), pointerTo(from), bytes, nullptr, false);
}

CUresult interpreted_memcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                                     CUstream stream) {
  return copyLinear(pointerTo(to), from, bytes, stream, true);
}

CUresult interpreted_memcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copyLinear(to, pointerTo(from), bytes, stream, true);
}

CUresult interpreted_memcpyAnyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                    CUstream stream) {
  return copyLinear(pointerTo(to), pointerTo(from), bytes, stream, true);
}

/// plugins/cuda gives both the host's and the device's pointer, which are equal.
static CUresult copyRows(const DriverCopy2D &copy, CUstream stream, bool isAsync) {
  return asDriver(backend().copy(copy.toHost, copy.toPitch, copy.fromHost, copy.fromPitch,
                                 {copy.width, copy.height}, cudaMemcpyDefault, stream, isAsync));
}

CUresult interpreted_memcpy2D(const DriverCopy2D *copy) { return copyRows(*copy, nullptr, false); }

CUresult interpreted_memcpy2DAsync(const DriverCopy2D *copy, CUstream stream) {
  return copyRows(*copy, stream, true);
}

CUresult interpreted_memsetD8(CUdeviceptr to, unsigned char value, size_t bytes) {
  return asDriver(backend().fill(pointerTo(to), 0, value, {bytes, 1}, nullptr, false));
}

CUresult interpreted_memsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes,
                                   CUstream stream) {
  return asDriver(backend().fill(pointerTo(to), 0, value, {bytes, 1}, stream, true));
}

CUresult interpreted_memsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                                size_t height) {
  return asDriver(backend().fill(pointerTo(to), pitch, value, {width, height}, nullptr, false));
}

CUresult interpreted_memsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                                     size_t width, size_t height, CUstream stream) {
  return asDriver(backend().fill(pointerTo(to), pitch, value, {width, height}, stream, true));
}

CUresult interpreted_memPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device,
                                      CUstream stream) {
  return asDriver(backend().prefetch(pointerTo(pointer), bytes, device, stream));
}

CUresult interpreted_memAdvise(CUdeviceptr pointer, size_t bytes, int advice, CUdevice device) {
  return asDriver(backend().advise(pointerTo(pointer), bytes, cudaMemoryAdvise(advice), device));
}
