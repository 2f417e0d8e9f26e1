//===- transfer.cpp - Memory, copies and fills of the CPU device ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/cpu_device.h"

#include <algorithm>
#include <cstring>

namespace regrain::cpu {
namespace {

constexpr size_t pitchAlignment = 512; // the granularity of GPUs

void copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows) {
  auto *target = static_cast<char *>(to);
  auto *source = static_cast<const char *>(from);
  if (rows.width == toPitch && rows.width == fromPitch)
    rows = {rows.width * rows.height, 1};
  for (size_t row = 0; row < rows.height; ++row)
    std::memmove(target + row * toPitch, source + row * fromPitch, rows.width);
}

void fillRows(void *to, size_t pitch, int value, Rows rows) {
  auto *target = static_cast<char *>(to);
  for (size_t row = 0; row < rows.height; ++row)
    std::memset(target + row * pitch, value, rows.width);
}

/// Returns the bytes from the first to the last one of the rows, of which there is at least one.
size_t extentOf(Rows rows, size_t pitch) { return (rows.height - 1) * pitch + rows.width; }

} // namespace

cudaError_t CpuDevice::memoryInfo(size_t &freeBytes, size_t &totalBytes) {
  memory.info(freeBytes, totalBytes);
  return cudaSuccess;
}

cudaError_t CpuDevice::allocate(size_t bytes, void *&out) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  if (cudaError_t status = captures.checkUnsafe(); status != cudaSuccess)
    return status;
  return memory.allocate(Memory::Kind::Device, bytes, 0, out);
}

cudaError_t CpuDevice::allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) {
  size_t bytes = 0;
  if (width > SIZE_MAX - pitchAlignment)
    return cudaErrorMemoryAllocation;
  pitch = (width + pitchAlignment - 1) / pitchAlignment * pitchAlignment;
  if (__builtin_mul_overflow(pitch, height, &bytes))
    return cudaErrorMemoryAllocation;
  return allocate(bytes, out);
}

/// Pending work may use the memory, so this waits first.
cudaError_t CpuDevice::free(void *pointer) {
  if (cudaError_t status = captures.checkUnsafe(); status != cudaSuccess)
    return status;
  cudaError_t left = waitForAll();
  cudaError_t status = memory.free(Memory::Kind::Device, pointer);
  return status != cudaSuccess ? status : left;
}

cudaError_t CpuDevice::allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  return streams.find(stream) ? memory.allocate(Memory::Kind::Device, bytes, 0, out)
                              : cudaErrorInvalidResourceHandle;
}

cudaError_t CpuDevice::freeInOrder(void *pointer, cudaStream_t stream) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t status = memory.retire(pointer); status != cudaSuccess)
    return status;
  Ticket done;
  return streams.submit(queue, [this, pointer] { memory.freeRetired(pointer); }, done);
}

cudaError_t CpuDevice::allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  if (cudaError_t status = captures.checkUnsafe(); status != cudaSuccess)
    return status;
  return memory.allocate(kind == HostMemory::Managed ? Memory::Kind::Managed : Memory::Kind::Pinned,
                         bytes, flags, out);
}

cudaError_t CpuDevice::freeHost(void *pointer) {
  if (cudaError_t status = captures.checkUnsafe(); status != cudaSuccess)
    return status;
  cudaError_t left = waitForAll();
  cudaError_t status = memory.free(Memory::Kind::Pinned, pointer);
  return status != cudaSuccess ? status : left;
}

cudaError_t CpuDevice::registerHost(void *pointer, size_t bytes, unsigned flags) {
  return memory.registerHost(pointer, bytes, flags);
}

cudaError_t CpuDevice::unregisterHost(void *pointer) { return memory.unregisterHost(pointer); }

cudaError_t CpuDevice::hostDevicePointer(void *host, void *&device) {
  unsigned flags = 0;
  cudaError_t status = memory.hostFlags(host, flags);
  if (status == cudaSuccess)
    device = host;
  return status;
}

cudaError_t CpuDevice::hostFlags(void *host, unsigned &flags) {
  return memory.hostFlags(host, flags);
}

cudaError_t CpuDevice::pointerAttributes(const void *pointer, cudaPointerAttributes &out) {
  memory.attributes(pointer, out);
  return cudaSuccess;
}

cudaError_t CpuDevice::transfer(cudaStream_t stream, NodeKind kind, bool async, Work work) {
  if (async)
    return submit(stream, kind, std::move(work));
  cudaError_t status = synchronizeStream(stream);
  if (status == cudaSuccess)
    work();
  return status;
}

/// A copy that involves ordinary host memory is complete when the call returns,
/// since the program may use that memory at once; in a graph, it reads the memory's
/// contents at that time.
cudaError_t CpuDevice::copy(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                            cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  if (!memory.holds(to, extentOf(rows, toPitch)) || !memory.holds(from, extentOf(rows, fromPitch)))
    return cudaErrorInvalidValue;
  std::shared_ptr<Stream> queue = streams.find(stream);
  bool isCaptured = queue && captures.isCapturing(queue);
  async = async && (isCaptured || (memory.isKnown(to) && memory.isKnown(from)));
  return transfer(stream, NodeKind::Copy, async,
                  [=] { copyRows(to, toPitch, from, fromPitch, rows); });
}

cudaError_t CpuDevice::fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                            bool async) {
  if (!memory.holds(to, extentOf(rows, pitch)))
    return cudaErrorInvalidValue;
  return transfer(stream, NodeKind::Fill, async, [=] { fillRows(to, pitch, value, rows); });
}

cudaError_t CpuDevice::prefetch(const void *pointer, size_t bytes, int toDevice,
                                cudaStream_t stream) {
  if (toDevice != 0 && toDevice != cudaCpuDeviceId)
    return cudaErrorInvalidDevice;
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t status = captures.checkStream(queue); status != cudaSuccess)
    return status;
  return memory.isKnown(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t CpuDevice::advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                              int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return cudaErrorInvalidValue;
  return memory.isKnown(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t CpuDevice::comparePages(const void *left, const void *right, size_t bytes,
                                    size_t pageBytes, std::span<uint8_t> differs) {
  if (cudaError_t status = synchronize(); status != cudaSuccess)
    return status;
  auto *a = static_cast<const char *>(left), *b = static_cast<const char *>(right);
  for (size_t page = 0; page < differs.size(); ++page) {
    size_t at = page * pageBytes;
    differs[page] = std::memcmp(a + at, b + at, std::min(pageBytes, bytes - at)) != 0;
  }
  return cudaSuccess;
}

} // namespace regrain::cpu
