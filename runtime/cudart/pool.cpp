//===- pool.cpp - Memory pools of the runtime API -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/pool.h"

#include <algorithm>

using namespace regrain;

namespace {

/// Gives that pool of a device which `which` returns.
cudaError_t givePool(cudaMemPool_t *pool, int ordinal, cudaMemPool_t (Pools::*which)(int)) {
  return withPools([&](Pools &pools) {
    if (!pool)
      return cudaErrorInvalidValue;
    if (!Platform::get().hasDevice(ordinal))
      return cudaErrorInvalidDevice;
    *pool = (pools.*which)(ordinal);
    return cudaSuccess;
  });
}

/// Gives the device for whose memory there are pools of the type.
cudaError_t toOrdinal(const cudaMemLocation *location, cudaMemAllocationType type, int &ordinal) {
  if (!location)
    return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
    return cudaErrorNotSupported;
  ordinal = location->id;
  return cudaSuccess;
}

/// Calls an entry that takes a device with the device of a location.
template <typename Entry>
cudaError_t atLocation(const cudaMemLocation *location, cudaMemAllocationType type, Entry call) {
  int ordinal = 0;
  cudaError_t status = entry([&] { return toOrdinal(location, type, ordinal); });
  return status == cudaSuccess ? call(ordinal) : status;
}

bool isReuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

int &reuseOf(Pool &pool, cudaMemPoolAttr attribute) {
  return pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
}

} // namespace

cudaError_t Pool::ownOn(Device &device, cudaMemPool_t &out) const {
  out = own;
  return isFirst ? device.firstPool(out) : cudaSuccess;
}

Pools &Pools::get() {
  static auto *pools = new Pools; // destructors of static objects may free memory
  return *pools;
}

cudaMemPool_t Pools::add(const Pool &pool) {
  auto owned = std::make_shared<Pool>(pool);
  auto handle = reinterpret_cast<cudaMemPool_t>(owned.get());
  pools[handle] = std::move(owned);
  return handle;
}

void Pools::remove(cudaMemPool_t handle) {
  std::erase_if(current, [&](const auto &entry) { return entry.second == handle; });
  pools.erase(handle);
}

std::shared_ptr<Pool> Pools::find(cudaMemPool_t handle) {
  auto found = pools.find(handle);
  return found == pools.end() ? nullptr : found->second;
}

cudaMemPool_t Pools::firstOf(int ordinal) {
  cudaMemPool_t &handle = first[ordinal];
  if (!handle)
    handle = add({ordinal, true});
  return handle;
}

cudaMemPool_t Pools::currentOf(int ordinal) {
  auto found = current.find(ordinal);
  return found == current.end() ? firstOf(ordinal) : found->second;
}

void Pools::note(void *pointer, uint64_t bytes, const std::shared_ptr<Pool> &pool) {
  noteFreed(pointer); // a reset of the device frees without a call for each pointer
  parts[pointer] = {pool, bytes};
  pool->usedBytes += bytes;
  pool->mostUsedBytes = std::max(pool->mostUsedBytes, pool->usedBytes);
}

void Pools::noteFreed(void *pointer) {
  auto found = parts.find(pointer);
  if (found == parts.end())
    return;
  found->second.pool->usedBytes -= found->second.bytes;
  parts.erase(found);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return givePool(pool, device, &Pools::firstOf);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return givePool(pool, device, &Pools::currentOf);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return withPools([&](Pools &pools) {
    if (!Platform::get().hasDevice(device))
      return cudaErrorInvalidDevice;
    std::shared_ptr<Pool> found = pools.find(pool);
    if (!found || found->ordinal != device)
      return cudaErrorInvalidValue;
    pools.setCurrent(device, pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *location,
                                     cudaMemAllocationType type) {
  return atLocation(location, type,
                    [&](int ordinal) { return cudaDeviceGetDefaultMemPool(pool, ordinal); });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, cudaMemLocation *location,
                              cudaMemAllocationType type) {
  return atLocation(location, type,
                    [&](int ordinal) { return cudaDeviceGetMemPool(pool, ordinal); });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation *location, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  return atLocation(location, type,
                    [&](int ordinal) { return cudaDeviceSetMemPool(ordinal, pool); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
  return withPools([&](Pools &pools) {
    if (!pool || !properties)
      return cudaErrorInvalidValue;
    int ordinal = 0;
    cudaError_t status = toOrdinal(&properties->location, properties->allocType, ordinal);
    if (status != cudaSuccess)
      return status;
    if (!Platform::get().hasDevice(ordinal))
      return cudaErrorInvalidDevice;
    OpenDevice *owner = nullptr;
    status = Platform::get().open(ordinal, owner);
    Pool made = {ordinal};
    if (status == cudaSuccess)
      status = owner->device->makePool(*properties, made.own);
    if (status != cudaSuccess)
      return status;
    made.limit = made.own ? 0 : properties->maxSize;
    *pool = pools.add(made);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return withPool(pool, [&](Pool &found, Device &device, cudaMemPool_t own) {
    if (found.isFirst)
      return cudaErrorInvalidValue;
    cudaError_t status = own ? device.destroyPool(own) : cudaSuccess;
    if (status == cudaSuccess)
      Pools::get().remove(pool);
    return status;
  });
}

// A device with one pool keeps freed memory, and releases it, by itself.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t minBytesToKeep) {
  return withPool(pool, [&](Pool &, Device &device, cudaMemPool_t own) {
    return own ? device.trimPool(own, minBytesToKeep) : cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return withPool(pool, [&](Pool &found, Device &device, cudaMemPool_t own) {
    if (!value)
      return cudaErrorInvalidValue;
    if (own)
      return device.setPoolAttribute(own, attribute, value);
    if (isReuse(attribute)) {
      reuseOf(found, attribute) = *static_cast<const int *>(value);
      return cudaSuccess;
    }
    uint64_t bytes = *static_cast<const uint64_t *>(value);
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      found.releaseThreshold = bytes;
      return cudaSuccess;
    }
    // The high mark can only be set back.
    if (attribute != cudaMemPoolAttrUsedMemHigh || bytes != 0)
      return cudaErrorInvalidValue;
    found.mostUsedBytes = found.usedBytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return withPool(pool, [&](Pool &found, Device &device, cudaMemPool_t own) {
    if (!value)
      return cudaErrorInvalidValue;
    if (own)
      return device.poolAttribute(own, attribute, value);
    if (isReuse(attribute)) {
      *static_cast<int *>(value) = reuseOf(found, attribute);
      return cudaSuccess;
    }
    auto &bytes = *static_cast<uint64_t *>(value);
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      bytes = found.releaseThreshold;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
      bytes = found.usedBytes;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      bytes = found.mostUsedBytes;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrReservedMemHigh:
      return cudaErrorNotSupported; // only the device knows
    default:
      return cudaErrorInvalidValue;
    }
  });
}
