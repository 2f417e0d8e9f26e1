//===- cluster.cpp - Blocks that share their shared memory ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/cluster.h"

#include "runtime/plugins/cpu/sanitizers.h"

#include <cstdlib>

namespace regrain::cpu {

/// Shared memory of a block is aligned to this.
constexpr size_t blockAlignment = 128;

Cluster::Cluster(uint32_t blocks, size_t blockBytes)
    : blocks(blocks),
      stride((blockBytes + blockAlignment) / blockAlignment * blockAlignment), // never 0
      alive(blocks) {
  UnseenMemory allocating;
  memory = static_cast<char *>(std::aligned_alloc(blockAlignment, blocks * stride));
}

Cluster::~Cluster() {
  UnseenMemory freeing;
  std::free(memory);
}

std::optional<uint32_t> Cluster::rankOf(const void *address) const {
  size_t offset = uintptr_t(address) - uintptr_t(memory);
  return offset < blocks * stride ? std::optional(uint32_t(offset / stride)) : std::nullopt;
}

/// Begins the next phase if all blocks have arrived.
void Cluster::advance() {
  if (arrivals < alive)
    return;
  arrivals = 0;
  current.fetch_add(1, std::memory_order_release);
}

uint32_t Cluster::arrive() {
  std::lock_guard lock(mutex);
  uint32_t phase = current.load(std::memory_order_relaxed);
  ++arrivals;
  advance();
  return phase;
}

void Cluster::end(std::optional<uint32_t> arrived) {
  std::lock_guard lock(mutex);
  if (arrived && *arrived == current.load(std::memory_order_relaxed))
    --arrivals;
  if (--alive > 0)
    advance();
}

std::shared_ptr<Cluster> Clusters::begin(uint64_t number, uint32_t blocks, size_t blockBytes) {
  std::lock_guard lock(mutex);
  auto [found, isNew] = entries.try_emplace(number);
  if (isNew)
    found->second = {std::make_shared<Cluster>(blocks, blockBytes), blocks};
  return found->second.cluster->hasMemory() ? found->second.cluster : nullptr;
}

void Clusters::end(uint64_t number) {
  std::lock_guard lock(mutex);
  auto found = entries.find(number);
  if (--found->second.left == 0)
    entries.erase(found);
}

} // namespace regrain::cpu
