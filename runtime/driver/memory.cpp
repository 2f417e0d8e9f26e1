//===- memory.cpp - Memory of the driver API ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/driver/arrays.h"
#include "runtime/driver/on_runtime.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace regrain::driver {
namespace {

void *toRuntime(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }
void **toRuntime(CUdeviceptr *pointer) { return reinterpret_cast<void **>(pointer); }

// The kinds of places have the same numbers in both interfaces.
cudaMemLocation toRuntime(CUmemLocation location) {
  return {static_cast<cudaMemLocationType>(location.type), location.id};
}

/// Returns the byte of which the value consists, or nothing if its bytes differ.
template <typename Value> std::optional<unsigned char> byteOf(Value value) {
  Value bytes = Value(~Value(0)) / 0xff * (value & 0xff);
  return bytes == value ? std::optional<unsigned char>(value & 0xff) : std::nullopt;
}

/// Calls the body, which copies from ordinary host memory. Such a copy has read it when the call
/// returns, except in a graph, which would read it later.
template <typename Body> cudaError_t unlessCaptured(CUstream stream, Body body) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (cudaError_t status = cudaStreamIsCapturing(stream, &capture); status != cudaSuccess)
    return status;
  return capture == cudaStreamCaptureStatusNone ? body() : cudaErrorStreamCaptureUnsupported;
}

template <typename Value>
cudaError_t fillAsync(CUdeviceptr to, Value value, size_t count, CUstream stream) {
  if (auto byte = byteOf(value))
    return cudaMemsetAsync(toRuntime(to), *byte, count * sizeof(Value), stream);
  return unlessCaptured(stream, [&] {
    std::vector<Value> values(count, value);
    return cudaMemcpyAsync(toRuntime(to), values.data(), count * sizeof(Value),
                           cudaMemcpyHostToDevice, stream);
  });
}

template <typename Value> cudaError_t fill(CUdeviceptr to, Value value, size_t count) {
  std::vector<Value> values(count, value);
  return cudaMemcpy(toRuntime(to), values.data(), count * sizeof(Value), cudaMemcpyHostToDevice);
}

template <typename Value>
cudaError_t fillRowsAsync(CUdeviceptr to, size_t pitch, Value value, size_t width, size_t height,
                          CUstream stream) {
  size_t bytes = width * sizeof(Value);
  if (auto byte = byteOf(value))
    return cudaMemset2DAsync(toRuntime(to), pitch, *byte, bytes, height, stream);
  return unlessCaptured(stream, [&] {
    std::vector<Value> values(width * height, value);
    return cudaMemcpy2DAsync(toRuntime(to), pitch, values.data(), bytes, bytes, height,
                             cudaMemcpyHostToDevice, stream);
  });
}

template <typename Value>
cudaError_t fillRows(CUdeviceptr to, size_t pitch, Value value, size_t width, size_t height) {
  std::vector<Value> values(width * height, value);
  size_t bytes = width * sizeof(Value);
  return cudaMemcpy2D(toRuntime(to), pitch, values.data(), bytes, bytes, height,
                      cudaMemcpyHostToDevice);
}

/// One side of a copy.
struct Rectangle {
  char *start;
  size_t pitch;
};

Rectangle rectangle(CUmemorytype type, const void *host, CUdeviceptr device, size_t pitch, size_t x,
                    size_t y, size_t width) {
  auto *memory = static_cast<char *>(type == CU_MEMORYTYPE_HOST ? const_cast<void *>(host)
                                                                : toRuntime(device));
  return {memory + y * pitch + x, std::max(pitch, width)}; // a single row may have no pitch
}

template <typename Copy> CUresult copyRows(const CUDA_MEMCPY2D *copy, Copy body) {
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  if (copy->srcMemoryType == CU_MEMORYTYPE_ARRAY || copy->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return CUDA_ERROR_NOT_SUPPORTED; // an asynchronous copy; the others are in arrays.cpp
  size_t width = copy->WidthInBytes;
  bool hasPitches = copy->Height <= 1 || (copy->srcPitch >= width && copy->dstPitch >= width);
  if (!hasPitches)
    return CUDA_ERROR_INVALID_VALUE;
  return toDriver(body(rectangle(copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                                 copy->srcPitch, copy->srcXInBytes, copy->srcY, width),
                       rectangle(copy->dstMemoryType, copy->dstHost, copy->dstDevice,
                                 copy->dstPitch, copy->dstXInBytes, copy->dstY, width)));
}

} // namespace

CUresult cuMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  return toDriver(cudaMemGetInfo(freeBytes, totalBytes));
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  return toDriver(cudaMalloc(toRuntime(pointer), bytes));
}

CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned int elementBytes) {
  return toDriver(cudaMallocPitch(toRuntime(pointer), pitch, width, height));
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
  return toDriver(cudaMallocManaged(toRuntime(pointer), bytes, flags));
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
  return toDriver(cudaMallocAsync(toRuntime(pointer), bytes, stream));
}

CUresult cuMemFree(CUdeviceptr pointer) { return toDriver(cudaFree(toRuntime(pointer))); }

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return toDriver(cudaFreeAsync(toRuntime(pointer), stream));
}

CUresult cuMemAllocHost(void **pointer, size_t bytes) {
  return toDriver(cudaMallocHost(pointer, bytes));
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return toDriver(cudaHostAlloc(pointer, bytes, flags));
}

CUresult cuMemFreeHost(void *pointer) { return toDriver(cudaFreeHost(pointer)); }

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  return toDriver(cudaHostRegister(pointer, bytes, flags));
}

CUresult cuMemHostUnregister(void *pointer) { return toDriver(cudaHostUnregister(pointer)); }

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags) {
  return toDriver(cudaHostGetDevicePointer(toRuntime(device), host, flags));
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host) {
  return toDriver(cudaHostGetFlags(flags, host));
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) {
  return toDriver(cudaMemPrefetchAsync(toRuntime(pointer), bytes, device, stream));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                               unsigned int flags, CUstream stream) {
  return toDriver(
      cudaMemPrefetchAsync_v2(toRuntime(pointer), bytes, toRuntime(location), flags, stream));
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device) {
  return toDriver(
      cudaMemAdvise(toRuntime(pointer), bytes, static_cast<cudaMemoryAdvise>(advice), device));
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                        CUmemLocation location) {
  return toDriver(cudaMemAdvise_v2(toRuntime(pointer), bytes, static_cast<cudaMemoryAdvise>(advice),
                                   toRuntime(location)));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return toDriver(cudaMemcpy(toRuntime(to), toRuntime(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return toDriver(
      cudaMemcpyAsync(toRuntime(to), toRuntime(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return toDriver(cudaMemcpy(toRuntime(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return toDriver(cudaMemcpyAsync(toRuntime(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return toDriver(cudaMemcpy(to, toRuntime(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return toDriver(cudaMemcpyAsync(to, toRuntime(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return toDriver(cudaMemcpy(toRuntime(to), toRuntime(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return toDriver(
      cudaMemcpyAsync(toRuntime(to), toRuntime(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  if (copy && isArrayCopy(*copy))
    return copyArray(*copy);
  return copyRows(copy, [&](const Rectangle &from, const Rectangle &to) {
    return cudaMemcpy2D(to.start, to.pitch, from.start, from.pitch, copy->WidthInBytes,
                        copy->Height, cudaMemcpyDefault);
  });
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) { return driver::cuMemcpy2D(copy); }

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  return copyRows(copy, [&](const Rectangle &from, const Rectangle &to) {
    return cudaMemcpy2DAsync(to.start, to.pitch, from.start, from.pitch, copy->WidthInBytes,
                             copy->Height, cudaMemcpyDefault, stream);
  });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return toDriver(cudaMemset(toRuntime(to), value, count));
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return toDriver(fill(to, value, count));
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return toDriver(fill(to, value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return toDriver(cudaMemsetAsync(toRuntime(to), value, count, stream));
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return toDriver(fillAsync(to, value, count, stream));
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return toDriver(fillAsync(to, value, count, stream));
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return toDriver(cudaMemset2D(toRuntime(to), pitch, value, width, height));
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return toDriver(fillRows(to, pitch, value, width, height));
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                       size_t height) {
  return toDriver(fillRows(to, pitch, value, width, height));
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return toDriver(cudaMemset2DAsync(toRuntime(to), pitch, value, width, height, stream));
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return toDriver(fillRowsAsync(to, pitch, value, width, height, stream));
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream) {
  return toDriver(fillRowsAsync(to, pitch, value, width, height, stream));
}

} // namespace regrain::driver
