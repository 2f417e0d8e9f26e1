//===- cluster.h - Blocks that share their shared memory --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a cluster run at the same time, each in a thread of the operating system
// (residents.h). Their shared memory is in one piece, the block of rank 0 first, so that the
// address of a variable of another block is known before that block begins.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace regrain::cpu {

/// The memory and the barrier of one cluster.
class Cluster {
public:
  /// `blockBytes` is the shared memory of a block.
  Cluster(uint32_t blocks, size_t blockBytes);
  ~Cluster();
  Cluster(const Cluster &) = delete;
  Cluster &operator=(const Cluster &) = delete;

  bool hasMemory() const { return memory != nullptr; }
  char *memoryOf(uint32_t rank) const { return memory + rank * stride; }
  size_t bytesOfBlock() const { return stride; }
  /// Returns the rank of the block that has the address; nothing if none has it.
  std::optional<uint32_t> rankOf(const void *address) const;

  /// A block arrives at the barrier. Returns the phase, which is over when all blocks that have not
  /// ended have arrived.
  uint32_t arrive();
  bool isOver(uint32_t phase) const { return current.load(std::memory_order_acquire) != phase; }
  /// A block ends. `arrived` is the phase at which it has arrived without waiting.
  void end(std::optional<uint32_t> arrived);

private:
  void advance();

  char *memory = nullptr;
  const uint32_t blocks;
  const size_t stride;
  std::mutex mutex;
  uint32_t alive, arrivals = 0;
  std::atomic<uint32_t> current = 0;
};

/// The clusters of a launch of which some block runs, or has still to begin.
class Clusters {
public:
  /// Returns the cluster of that number, and makes it if the caller is its first block. Returns
  /// null if there is no memory.
  std::shared_ptr<Cluster> begin(uint64_t number, uint32_t blocks, size_t blockBytes);
  /// Each block calls this once when it has ended.
  void end(uint64_t number);

private:
  struct Entry {
    std::shared_ptr<Cluster> cluster;
    uint32_t left; ///< blocks that have not ended
  };
  std::mutex mutex;
  std::map<uint64_t, Entry> entries;
};

} // namespace regrain::cpu
