//===- pool.h - Memory pools ----------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"
#include "runtime/cudart/entry.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace regrain {

/// A pool that the program made is one of the device's own, if the device has several. Else it
/// counts and limits what is allocated from it. Such devices reuse freed memory by themselves, so
/// what the program wants to be reused, and when memory is to be released, are hints.
struct Pool {
  int ordinal;                 ///< of the device
  bool isFirst = false;        ///< whether it is the device's first pool, which has no `own`
  cudaMemPool_t own = nullptr; ///< the device's own pool; null if the device has only one
  /// What follows is of use if the device has only one.
  uint64_t limit = 0;       ///< in bytes; 0: none
  int reuse[3] = {1, 1, 1}; ///< by cudaMemPoolAttr, from cudaMemPoolReuseFollowEventDependencies
  uint64_t releaseThreshold = 0;
  uint64_t usedBytes = 0, mostUsedBytes = 0;

  /// Gives the device's own pool, also if it is the first one.
  [[nodiscard]] cudaError_t ownOn(Device &device, cudaMemPool_t &out) const;
};

/// The pools of all devices. Each call holds `mutex` as long as it uses a pool.
class Pools {
public:
  static Pools &get();

  std::mutex mutex;

  cudaMemPool_t add(const Pool &pool);
  /// Removes the pool; what was allocated from it stays. A device whose pool it was gets its
  /// first one again.
  void remove(cudaMemPool_t handle);
  /// Returns null if there is no such pool.
  std::shared_ptr<Pool> find(cudaMemPool_t handle);
  cudaMemPool_t firstOf(int ordinal);
  cudaMemPool_t currentOf(int ordinal);
  void setCurrent(int ordinal, cudaMemPool_t handle) { current[ordinal] = handle; }

  /// Notes that `pointer` was allocated from the pool.
  void note(void *pointer, uint64_t bytes, const std::shared_ptr<Pool> &pool);
  void noteFreed(void *pointer);

private:
  struct Part {
    std::shared_ptr<Pool> pool;
    uint64_t bytes;
  };
  std::map<cudaMemPool_t, std::shared_ptr<Pool>> pools;
  std::map<int, cudaMemPool_t> first, current; ///< by device
  std::map<void *, Part> parts;
};

/// Calls the body of an entry while it may use the pools.
template <typename Body> cudaError_t withPools(Body body) {
  return onOpenDevice([&](OpenDevice &) {
    Pools &pools = Pools::get();
    std::lock_guard lock(pools.mutex);
    return body(pools);
  });
}

/// Calls the body of an entry with the pool, the device that has it, and the device's own pool,
/// which may be null.
template <typename Body> cudaError_t withPool(cudaMemPool_t handle, Body body) {
  return withPools([&](Pools &pools) {
    std::shared_ptr<Pool> pool = pools.find(handle);
    if (!pool)
      return cudaErrorInvalidValue;
    OpenDevice *owner = nullptr;
    cudaMemPool_t own = nullptr;
    cudaError_t status = Platform::get().open(pool->ordinal, owner);
    if (status == cudaSuccess)
      status = pool->ownOn(*owner->device, own);
    return status == cudaSuccess ? body(*pool, *owner->device, own) : status;
  });
}

} // namespace regrain
