//===- pool_sharing.cpp - Memory pools of other devices and processes -----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning must know which memory another process can change, in either direction.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/pool.h"

using namespace regrain;

namespace {

/// Gives the device of a location.
cudaError_t openAt(const cudaMemLocation &location, OpenDevice *&out) {
  if (location.type != cudaMemLocationTypeDevice)
    return cudaErrorNotSupported;
  return Platform::get().hasDevice(location.id) ? Platform::get().open(location.id, out)
                                                : cudaErrorInvalidDevice;
}

/// Lets a device access what is allocated from the pool, or not any more.
cudaError_t setAccess(const Pool &pool, Device &owner, cudaMemPool_t own,
                      const cudaMemAccessDesc &access) {
  OpenDevice *peer = nullptr;
  if (cudaError_t status = openAt(access.location, peer); status != cudaSuccess)
    return status;
  bool gets = access.flags == cudaMemAccessFlagsProtReadWrite;
  if (!gets && access.flags != cudaMemAccessFlagsProtNone)
    return cudaErrorInvalidValue; // CUDA has no pool that can only be read
  if (!own && access.location.id == pool.ordinal)
    return gets ? cudaSuccess : cudaErrorInvalidValue;
  if (!own && !gets)
    return cudaSuccess; // no other device has access
  return owner.setPoolAccess(own, *peer->device, access.flags);
}

} // namespace

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *descriptions,
                                 size_t count) {
  return withPool(pool, [&](Pool &found, Device &owner, cudaMemPool_t own) {
    if (count && !descriptions)
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (cudaError_t status = setAccess(found, owner, own, descriptions[i]); status != cudaSuccess)
        return status;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 cudaMemLocation *location) {
  return withPool(pool, [&](Pool &found, Device &owner, cudaMemPool_t own) {
    if (!flags || !location)
      return cudaErrorInvalidValue;
    OpenDevice *peer = nullptr;
    if (cudaError_t status = openAt(*location, peer); status != cudaSuccess)
      return status;
    if (own)
      return owner.poolAccess(own, *peer->device, *flags);
    bool isOwner = location->id == found.ordinal;
    *flags = isOwner ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType handleType,
                                               unsigned int flags) {
  return withPool(pool, [&](Pool &, Device &owner, cudaMemPool_t own) {
    if (!handle)
      return cudaErrorInvalidValue;
    return own ? owner.exportPool(own, handleType, flags, handle) : cudaErrorNotSupported;
  });
}

// CUDA does not say which device has the pool, and nothing can be allocated from it.
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 cudaMemAllocationHandleType handleType,
                                                 unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!pool)
      return cudaErrorInvalidValue;
    Pool made = {current.ordinal};
    cudaError_t status = current.device->importPool(handle, handleType, flags, made.own);
    if (status != cudaSuccess)
      return status;
    std::lock_guard lock(Pools::get().mutex);
    *pool = Pools::get().add(made);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *exportData, void *pointer) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!exportData || !pointer)
      return cudaErrorInvalidValue;
    cudaError_t status = current.device->exportPointer(pointer, *exportData);
    if (status == cudaSuccess)
      current.allocations.share(pointer);
    return status;
  });
}

cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool,
                                     cudaMemPoolPtrExportData *exportData) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!pointer || !exportData)
      return cudaErrorInvalidValue;
    Pools &pools = Pools::get();
    std::unique_lock lock(pools.mutex);
    std::shared_ptr<Pool> found = pools.find(pool);
    if (!found)
      return cudaErrorInvalidValue;
    if (!found->own)
      return cudaErrorNotSupported;
    lock.unlock();
    cudaError_t status = current.device->importPointer(found->own, *exportData, *pointer);
    // The size is not known; an address further inside counts as memory of others.
    if (status == cudaSuccess)
      current.allocations.add(*pointer, 1, MemoryKind::Shared);
    return status;
  });
}
