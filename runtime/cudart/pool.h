//===- pool.h - Memory pools ----------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace regrain {

/// A pool counts and limits the allocations of a device in the order of streams. Devices reuse
/// freed memory by themselves, so what the program wants to be reused, and when memory is to be
/// released, are hints.
struct Pool {
  int ordinal;              ///< of the device
  uint64_t limit = 0;       ///< in bytes; 0: none
  int reuse[3] = {1, 1, 1}; ///< by cudaMemPoolAttr, from cudaMemPoolReuseFollowEventDependencies
  uint64_t releaseThreshold = 0;
  uint64_t usedBytes = 0, mostUsedBytes = 0;
  std::set<int> peers = {}; ///< other devices that may access what is allocated from it
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

} // namespace regrain
