//===- memory.cpp - Memory of the runtime API -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/memory.h"
#include "runtime/core/allocation_gap.h"
#include "runtime/core/graph_memory.h"
#include "runtime/core/registry.h"
#include "runtime/core/relaxed_capture.h"
#include "runtime/cudart/capture.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/pool.h"
#include <functional>
#include <optional>

using namespace regrain;

namespace {

/// The program's requests take precedence over memory lent to its launches. Getting that
/// back waits for the device, which would invalidate a capture.
template <typename Allocate> cudaError_t makeRoomFor(OpenDevice &current, Allocate call) {
  cudaError_t status = call();
  bool mayWait = status == cudaErrorMemoryAllocation && current.captures.load() == 0;
  return mayWait && current.lentMemory.giveBack(*current.device) ? call() : status;
}

/// Records the memory that `allocate` returns.
template <typename Allocate>
cudaError_t allocate(OpenDevice &current, void **pointer, size_t bytes, MemoryKind kind,
                     Allocate call) {
  *pointer = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  cudaError_t status = makeRoomFor(current, call);
  if (status == cudaSuccess)
    current.allocations.add(*pointer, bytes, kind);
  return status;
}

/// Returns how much memory a gap behind `bytes` may take; 0 if there is to be none.
size_t gapBehind(OpenDevice &current, size_t bytes) {
  size_t whole = current.properties.totalGlobalMem;
  if (bytes == 0 || bytes >= whole || !current.device->mayAllocationsTouch())
    return 0;
  size_t cost = costOfGap(bytes);
  bool isWithin = current.allocations.gapBytes() + cost <= whole / gapShare;
  return cost != 0 && isWithin && Registry::get().hasCodeForApart() ? cost : 0;
}

/// Records the memory that `call` returns, which touches no other if that costs little. `call` takes
/// the number of bytes.
template <typename Allocate>
cudaError_t allocateApart(OpenDevice &current, void **pointer, size_t bytes, MemoryKind kind,
                          Allocate call) {
  size_t gap = gapBehind(current, bytes);
  if (gap == 0 || call(bytes + gapAskedFor) != cudaSuccess)
    return allocate(current, pointer, bytes, kind, [&] { return call(bytes); });
  current.allocations.add(*pointer, bytes, kind, gap);
  return cudaSuccess;
}

/// Returns whether memory that could not be freed still exists: after a failed kernel,
/// freeing reports that error although the memory is free.
bool isStillAllocated(Device &device, const void *pointer) {
  cudaPointerAttributes attributes = {};
  return device.pointerAttributes(pointer, attributes) == cudaSuccess &&
         attributes.type != cudaMemoryTypeUnregistered;
}

/// Removes `pointer` from the list before freeing it: another thread may get
/// its address at once.
template <typename Free> cudaError_t unlistAndFree(OpenDevice &current, void *pointer, Free call) {
  if (!pointer)
    return cudaSuccess;
  std::optional<Platform::Listed> listed = Platform::get().unlist(pointer);
  {
    // This too comes first, because another thread may get the address.
    std::lock_guard lock(Pools::get().mutex);
    Pools::get().noteFreed(pointer);
  }
  cudaError_t status = call();
  if (status != cudaSuccess && listed && isStillAllocated(*current.device, pointer))
    listed->device->allocations.add(pointer, listed->allocation.bytes, listed->allocation.kind,
                                    listed->allocation.gapBytes);
  current.lentMemory.noteFreed();
  return status;
}

} // namespace

cudaError_t regrain::allocateInGraph(OpenDevice &current, cudaGraph_t graph, size_t bytes,
                                     void **pointer) {
  RelaxedCapture mayAllocate(*current.device);
  cudaError_t status = allocate(current, pointer, bytes, MemoryKind::Device,
                                [&] { return current.device->allocate(bytes, *pointer); });
  if (status == cudaSuccess && *pointer)
    GraphMemory::get().allocates(graph, *pointer, bytes, current.ordinal);
  return status;
}

cudaError_t regrain::endGraphMemory(OpenDevice &current, const void *owner) {
  RelaxedCapture mayFree(*current.device);
  cudaError_t status = cudaSuccess;
  for (void *pointer : GraphMemory::get().ended(owner))
    if (cudaError_t freed =
            unlistAndFree(current, pointer, [&] { return current.device->free(pointer); });
        status == cudaSuccess)
      status = freed;
  return status;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return onOpenDevice([&](OpenDevice &current) {
    return pointer ? allocateApart(
                         current, pointer, bytes, MemoryKind::Device,
                         [&](size_t asked) { return current.device->allocate(asked, *pointer); })
                   : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFree(void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    GraphMemory::Freed freed = GraphMemory::get().freedByProgram(pointer);
    if (freed == GraphMemory::Freed::Twice)
      return cudaErrorInvalidValue;
    if (freed == GraphMemory::Freed::Kept)
      return current.device->synchronize();
    return unlistAndFree(current, pointer, [&] { return current.device->free(pointer); });
  });
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (!pointer || (flags & ~known))
      return cudaErrorInvalidValue;
    MemoryKind kind = flags & cudaHostAllocMapped ? MemoryKind::Mapped : MemoryKind::Pinned;
    return allocate(current, pointer, bytes, kind, [&] {
      return current.device->allocateHost(HostMemory::Pinned, bytes, flags, *pointer);
    });
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    return unlistAndFree(current, pointer, [&] { return current.device->freeHost(pointer); });
  });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!pointer || !bytes || (flags & ~known))
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->registerHost(pointer, bytes, flags);
    if (status == cudaSuccess)
      current.allocations.add(
          pointer, bytes, flags & cudaHostRegisterMapped ? MemoryKind::Mapped : MemoryKind::Pinned);
    return status;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!pointer)
      return cudaErrorInvalidValue;
    return unlistAndFree(current, pointer, [&] { return current.device->unregisterHost(pointer); });
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
  return onOpenDevice([&](OpenDevice &current) {
    if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return allocateApart(current, pointer, bytes, MemoryKind::Managed, [&](size_t asked) {
      return current.device->allocateHost(HostMemory::Managed, asked, flags, *pointer);
    });
  });
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!pointer || !pitch)
      return cudaErrorInvalidValue;
    *pointer = nullptr;
    *pitch = 0;
    if (!width || !height)
      return cudaSuccess;
    cudaError_t status = makeRoomFor(
        current, [&] { return current.device->allocatePitched(width, height, *pointer, *pitch); });
    if (status == cudaSuccess)
      current.allocations.add(*pointer, *pitch * height, MemoryKind::Device);
    return status;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  size_t rows = 0;
  if (!pointer || __builtin_mul_overflow(extent.height, extent.depth, &rows))
    return entry([] { return cudaErrorInvalidValue; });
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

/// Gives the graph to which the stream's work is added; null if the stream does not capture. It is
/// an error if the capture is invalid.
static cudaError_t capturedGraph(Device &device, cudaStream_t stream, cudaGraph_t &out) {
  CaptureInfo info;
  bool isActive = device.captureInfo(stream, info) == cudaSuccess &&
                  info.status == cudaStreamCaptureStatusActive;
  out = isActive ? info.graph : nullptr;
  return isActive ? cudaSuccess : refuseCapture(device, stream);
}

// The memory of a graph belongs to no pool, so a limit does not count it.
static cudaError_t allocateFrom(OpenDevice &current, cudaMemPool_t handle, void **pointer,
                                size_t bytes, cudaStream_t stream) {
  if (!pointer)
    return cudaErrorInvalidValue;
  cudaGraph_t graph = nullptr;
  if (cudaError_t status = capturedGraph(*current.device, stream, graph); status != cudaSuccess)
    return status;
  Pools &pools = Pools::get();
  std::unique_lock lock(pools.mutex);
  std::shared_ptr<Pool> pool = pools.find(handle ? handle : pools.currentOf(current.ordinal));
  if (!pool)
    return cudaErrorInvalidValue;
  if (pool->ordinal != current.ordinal)
    return cudaErrorNotSupported;
  if (graph) {
    lock.unlock();
    return allocateInGraph(current, graph, bytes, pointer);
  }
  if (pool->limit && (bytes > pool->limit || pool->usedBytes > pool->limit - bytes))
    return cudaErrorMemoryAllocation;
  lock.unlock();
  RelaxedCapture mayAllocate(*current.device);
  cudaError_t status = allocate(current, pointer, bytes, MemoryKind::Device, [&] {
    return pool->own ? current.device->allocateFrom(pool->own, bytes, stream, *pointer)
                     : current.device->allocateInOrder(bytes, stream, *pointer);
  });
  if (status == cudaSuccess && *pointer) {
    lock.lock();
    pools.note(*pointer, bytes, pool);
  }
  return status;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  return onOpenDevice(
      [&](OpenDevice &current) { return allocateFrom(current, nullptr, pointer, bytes, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return onOpenDevice([&](OpenDevice &current) {
    return pool ? allocateFrom(current, pool, pointer, bytes, stream) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  return onOpenDevice([&](OpenDevice &current) {
    cudaGraph_t graph = nullptr;
    if (cudaError_t status = capturedGraph(*current.device, stream, graph); status != cudaSuccess)
      return status;
    if (graph)
      return pointer ? GraphMemory::get().frees(graph, pointer) : cudaSuccess;
    GraphMemory::Freed freed = GraphMemory::get().freedByProgram(pointer);
    if (freed != GraphMemory::Freed::NotHere)
      return freed == GraphMemory::Freed::Kept ? cudaSuccess : cudaErrorInvalidValue;
    RelaxedCapture mayFree(*current.device);
    return unlistAndFree(current, pointer,
                         [&] { return current.device->freeInOrder(pointer, stream); });
  });
}

cudaError_t cudaMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!freeBytes || !totalBytes)
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->memoryInfo(*freeBytes, *totalBytes);
    if (status == cudaSuccess)
      *freeBytes += current.lentMemory.heldBytes();
    return status;
  });
}

/// Describes the pointer if it points into a variable of the code on the device. The CPU's memory
/// does not list variables.
static void describeVariable(int ordinal, const void *pointer, cudaPointerAttributes &out) {
  for (const Allocation &variable : Registry::get().variablesOn(ordinal)) {
    auto *begin = static_cast<const char *>(variable.pointer);
    if (std::less<>()(pointer, begin) || !std::less<>()(pointer, begin + variable.bytes))
      continue;
    bool isManaged = variable.kind == MemoryKind::ManagedVariable;
    out.type = isManaged ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    out.device = ordinal;
    out.devicePointer = const_cast<void *>(pointer);
    out.hostPointer = isManaged ? out.devicePointer : nullptr;
  }
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!attributes)
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->pointerAttributes(pointer, *attributes);
    if (status == cudaSuccess && attributes->type == cudaMemoryTypeUnregistered)
      describeVariable(current.ordinal, pointer, *attributes);
    return status;
  });
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return onDevice([&](Device &current) {
    return pointer && bytes ? current.prefetch(pointer, bytes, device, stream)
                            : cudaErrorInvalidValue;
  });
}

/// Returns the number of the device, or cudaCpuDeviceId for any memory of the host.
static std::optional<int> deviceAt(const cudaMemLocation &location) {
  switch (location.type) {
  case cudaMemLocationTypeDevice:
    return location.id;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    return cudaCpuDeviceId;
  default:
    return std::nullopt;
  }
}

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  return onDevice([&](Device &current) {
    std::optional<int> device = deviceAt(location);
    return pointer && bytes && device && !flags ? current.prefetch(pointer, bytes, *device, stream)
                                                : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  return onDevice([&](Device &current) {
    std::optional<int> device = deviceAt(location);
    return pointer && bytes && device ? current.advise(pointer, bytes, advice, *device)
                                      : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return onDevice([&](Device &current) {
    return pointer && bytes ? current.advise(pointer, bytes, advice, device)
                            : cudaErrorInvalidValue;
  });
}
