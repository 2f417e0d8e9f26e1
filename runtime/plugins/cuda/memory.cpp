//===- memory.cpp - An NVIDIA GPU: memory ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host and the device share one address space, so the driver can determine
// the location of a pointer of cudaMemcpyDefault by itself.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {

static void *fromDriver(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }

cudaError_t CudaDevice::allocate(size_t bytes, void *&out) {
  CUdeviceptr pointer = 0;
  CUresult result = driver.memAlloc(&pointer, bytes);
  out = fromDriver(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) {
  constexpr unsigned widestAccess = 16;
  CUdeviceptr pointer = 0;
  CUresult result = driver.memAllocPitch(&pointer, &pitch, width, height, widestAccess);
  out = fromDriver(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::free(void *pointer) { return toRuntime(driver.memFree(toDriver(pointer))); }

cudaError_t CudaDevice::allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) {
  CUdeviceptr pointer = 0;
  CUresult result = driver.memAllocAsync(&pointer, bytes, stream);
  out = fromDriver(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::freeInOrder(void *pointer, cudaStream_t stream) {
  return toRuntime(driver.memFreeAsync(toDriver(pointer), stream));
}

cudaError_t CudaDevice::allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) {
  if (kind == HostMemory::Pinned)
    return toRuntime(driver.memHostAlloc(&out, bytes, flags));
  CUdeviceptr pointer = 0;
  CUresult result = driver.memAllocManaged(&pointer, bytes, flags);
  out = fromDriver(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::freeHost(void *pointer) { return toRuntime(driver.memFreeHost(pointer)); }

cudaError_t CudaDevice::registerHost(void *pointer, size_t bytes, unsigned flags) {
  return toRuntime(driver.memHostRegister(pointer, bytes, flags));
}

cudaError_t CudaDevice::unregisterHost(void *pointer) {
  return toRuntime(driver.memHostUnregister(pointer));
}

cudaError_t CudaDevice::hostDevicePointer(void *host, void *&device) {
  CUdeviceptr pointer = 0;
  CUresult result = driver.memHostGetDevicePointer(&pointer, host, 0);
  device = fromDriver(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::hostFlags(void *host, unsigned &flags) {
  return toRuntime(driver.memHostGetFlags(&flags, host));
}

cudaError_t CudaDevice::pointerAttributes(const void *pointer, cudaPointerAttributes &out) {
  // CU_POINTER_ATTRIBUTE_: MEMORY_TYPE, DEVICE_POINTER, HOST_POINTER, IS_MANAGED,
  // This is DEVICE_ORDINAL. Attributes that the driver does not know of a
  // pointer stay zero.
  int attributes[] = {2, 3, 4, 8, 9};
  int memory = 0, ordinal = cudaInvalidDeviceId;
  unsigned managed = 0;
  CUdeviceptr devicePointer = 0;
  void *hostPointer = nullptr;
  void *values[] = {&memory, &devicePointer, &hostPointer, &managed, &ordinal};
  CUresult result = driver.pointerGetAttributes(5, attributes, values, toDriver(pointer));
  if (result != CUDA_SUCCESS)
    return toRuntime(result);
  out = {};
  out.device = memory ? ordinal : cudaInvalidDeviceId;
  out.devicePointer = fromDriver(devicePointer);
  out.hostPointer = hostPointer;
  if (managed)
    out.type = cudaMemoryTypeManaged;
  else if (memory == static_cast<int>(DriverMemory::Host))
    out.type = cudaMemoryTypeHost;
  else if (memory == static_cast<int>(DriverMemory::Device))
    out.type = cudaMemoryTypeDevice;
  else
    out.hostPointer = const_cast<void *>(pointer);
  return cudaSuccess;
}

/// The driver gives two extents: that of the addresses, and that of the memory behind them. They
/// differ in a range of reserved addresses, of which the program may map and unmap parts.
cudaError_t CudaDevice::memoryExtent(uintptr_t address, MemoryExtent &out, std::string &reason) {
  reason = "whose extent the driver does not know";
  // CU_POINTER_ATTRIBUTE_: MEMORY_TYPE, IS_MANAGED, DEVICE_ORDINAL, RANGE_START_ADDR, RANGE_SIZE.
  int attributes[] = {2, 8, 9, 11, 12};
  int memory = 0, owner = -1;
  unsigned managed = 0;
  CUdeviceptr begin = 0, mapped = 0;
  size_t bytes = 0, mappedBytes = 0;
  void *values[] = {&memory, &managed, &owner, &begin, &bytes};
  CUresult result = driver.pointerGetAttributes(5, attributes, values, address);
  if (result != CUDA_SUCCESS)
    return toRuntime(result);
  if (managed)
    reason = "which is managed, so that the host may change it during a measurement";
  else if (memory == static_cast<int>(DriverMemory::Host))
    reason = "which is the host's, so that the host may change it during a measurement";
  else if (memory == static_cast<int>(DriverMemory::Device) && owner != device)
    reason = "which is another device's";
  if (managed || memory != static_cast<int>(DriverMemory::Device) || owner != device)
    return cudaErrorInvalidValue;
  if (result = driver.memGetAddressRange(&mapped, &mappedBytes, address); result != CUDA_SUCCESS)
    return toRuntime(result);
  bool isInside = address - begin < bytes;
  if (begin != mapped || bytes != mappedBytes || !isInside) {
    reason =
        "in a range of reserved addresses, parts of which may be unmapped during a measurement";
    return cudaErrorNotSupported;
  }
  out = {begin, bytes};
  return cudaSuccess;
}

//===--- Copies and fills ------------------------------------------------===//

cudaError_t CudaDevice::copyLinear(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream, bool async) {
  switch (kind) {
  case cudaMemcpyHostToDevice:
    return toRuntime(async ? driver.memcpyHtoDAsync(toDriver(to), from, bytes, stream)
                           : driver.memcpyHtoD(toDriver(to), from, bytes));
  case cudaMemcpyDeviceToHost:
    return toRuntime(async ? driver.memcpyDtoHAsync(to, toDriver(from), bytes, stream)
                           : driver.memcpyDtoH(to, toDriver(from), bytes));
  default:
    return toRuntime(async ? driver.memcpyAnyAsync(toDriver(to), toDriver(from), bytes, stream)
                           : driver.memcpyAny(toDriver(to), toDriver(from), bytes));
  }
}

DriverMemory sourceKind(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault)
    return DriverMemory::Unified;
  return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? DriverMemory::Host
                                                                        : DriverMemory::Device;
}

DriverMemory targetKind(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault)
    return DriverMemory::Unified;
  return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? DriverMemory::Host
                                                                        : DriverMemory::Device;
}

cudaError_t CudaDevice::copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                                 Rows rows, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  DriverCopy2D copy = {};
  copy.fromKind = sourceKind(kind);
  copy.fromHost = from;
  copy.fromDevice = toDriver(from);
  copy.fromPitch = fromPitch;
  copy.toKind = targetKind(kind);
  copy.toHost = to;
  copy.toDevice = toDriver(to);
  copy.toPitch = toPitch;
  copy.width = rows.width;
  copy.height = rows.height;
  return toRuntime(async ? driver.memcpy2DAsync(&copy, stream) : driver.memcpy2D(&copy));
}

cudaError_t CudaDevice::copy(void *to, size_t toPitch, const void *from, size_t fromPitch,
                             Rows rows, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  bool isLinear = rows.height == 1 || (toPitch == rows.width && fromPitch == rows.width);
  if (isLinear)
    return copyLinear(to, from, rows.width * rows.height, kind, stream, async);
  return copyRows(to, toPitch, from, fromPitch, rows, kind, stream, async);
}

cudaError_t CudaDevice::fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                             bool async) {
  CUdeviceptr start = toDriver(to);
  auto byte = static_cast<unsigned char>(value);
  if (rows.height == 1 || pitch == rows.width) {
    size_t bytes = rows.width * rows.height;
    return toRuntime(async ? driver.memsetD8Async(start, byte, bytes, stream)
                           : driver.memsetD8(start, byte, bytes));
  }
  return toRuntime(async
                       ? driver.memsetD2D8Async(start, pitch, byte, rows.width, rows.height, stream)
                       : driver.memsetD2D8(start, pitch, byte, rows.width, rows.height));
}

cudaError_t CudaDevice::prefetch(const void *pointer, size_t bytes, int toDevice,
                                 cudaStream_t stream) {
  return toRuntime(driver.memPrefetchAsync(toDriver(pointer), bytes, toDevice, stream));
}

cudaError_t CudaDevice::advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                               int device) {
  return toRuntime(driver.memAdvise(toDriver(pointer), bytes, advice, device));
}

cudaError_t CudaDevice::comparePages(const void *left, const void *right, size_t bytes,
                                     size_t pageBytes, std::span<uint8_t> differs) {
  return comparison.run(left, right, bytes, pageBytes, differs);
}

} // namespace regrain::cuda
