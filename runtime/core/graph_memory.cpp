//===- graph_memory.cpp - Memory that graphs allocate ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/graph_memory.h"

#include <algorithm>
#include <utility>

namespace regrain {

GraphMemory &GraphMemory::get() {
  static auto *memory = new GraphMemory; // destructors of static objects may destroy graphs
  return *memory;
}

bool GraphMemory::dropIfUnused(void *pointer) {
  auto found = blocks.find(pointer);
  if (found == blocks.end() || found->second.owners || found->second.isAllocated)
    return false;
  totals[found->second.ordinal].used -= found->second.bytes;
  blocks.erase(found);
  return true;
}

void GraphMemory::allocates(cudaGraph_t graph, void *pointer, size_t bytes, int ordinal) {
  std::lock_guard lock(mutex);
  isInUse = true;
  blocks[pointer] = {bytes, ordinal, 1};
  uses[graph][pointer].allocates = true;
  Bytes &total = totals[ordinal];
  total.used += bytes;
  total.mostUsed = std::max(total.mostUsed, total.used);
}

cudaError_t GraphMemory::frees(cudaGraph_t graph, void *pointer) {
  std::lock_guard lock(mutex);
  auto found = blocks.find(pointer);
  if (found == blocks.end())
    return cudaErrorInvalidValue;
  auto [use, isNew] = uses[graph].try_emplace(pointer);
  found->second.owners += isNew;
  return std::exchange(use->second.frees, true) ? cudaErrorInvalidValue : cudaSuccess;
}

bool GraphMemory::isUsedBy(const void *owner) {
  if (!isInUse)
    return false;
  std::lock_guard lock(mutex);
  return uses.contains(owner);
}

cudaError_t GraphMemory::checkInstantiation(cudaGraph_t graph, cudaGraphExec_t executable) {
  std::lock_guard lock(mutex);
  auto found = uses.find(graph);
  if (found == uses.end())
    return cudaSuccess;
  for (auto &[pointer, use] : found->second)
    if (cudaGraphExec_t other = blocks[pointer].executable;
        use.allocates && other && other != executable)
      return cudaErrorNotSupported;
  return cudaSuccess;
}

void GraphMemory::instantiated(cudaGraph_t graph, cudaGraphExec_t executable) {
  std::lock_guard lock(mutex);
  auto found = uses.find(graph);
  if (found == uses.end())
    return;
  for (auto &[pointer, use] : found->second) {
    Block &block = blocks[pointer];
    block.owners += uses[executable].insert_or_assign(pointer, use).second;
    if (use.allocates)
      block.executable = executable;
  }
}

cudaError_t GraphMemory::checkLaunch(cudaGraphExec_t executable, bool freesFirst) {
  std::lock_guard lock(mutex);
  auto found = uses.find(executable);
  if (found == uses.end())
    return cudaSuccess;
  for (auto &[pointer, use] : found->second) {
    bool isAllocated = blocks[pointer].isAllocated;
    if (use.allocates ? isAllocated && !freesFirst : !isAllocated)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

void GraphMemory::launched(cudaGraphExec_t executable) {
  if (!isInUse)
    return;
  std::lock_guard lock(mutex);
  if (auto found = uses.find(executable); found != uses.end())
    for (auto &[pointer, use] : found->second)
      blocks[pointer].isAllocated = !use.frees;
}

GraphMemory::Freed GraphMemory::freedByProgram(void *pointer) {
  if (!isInUse)
    return Freed::NotHere;
  std::lock_guard lock(mutex);
  auto found = blocks.find(pointer);
  if (found == blocks.end())
    return Freed::NotHere;
  if (!std::exchange(found->second.isAllocated, false))
    return Freed::Twice;
  return dropIfUnused(pointer) ? Freed::NotHere : Freed::Kept;
}

std::vector<void *> GraphMemory::ended(const void *owner) {
  std::lock_guard lock(mutex);
  std::vector<void *> unused;
  auto found = uses.extract(owner);
  if (!found)
    return unused;
  for (auto &[pointer, use] : found.mapped()) {
    Block &block = blocks[pointer];
    --block.owners;
    if (block.executable == owner)
      block.executable = nullptr;
    if (dropIfUnused(pointer))
      unused.push_back(pointer);
  }
  return unused;
}

void GraphMemory::forget(int ordinal) {
  std::lock_guard lock(mutex);
  std::erase_if(blocks, [&](const auto &entry) { return entry.second.ordinal == ordinal; });
  for (auto &[owner, used] : uses)
    std::erase_if(used, [&](const auto &entry) { return !blocks.contains(entry.first); });
  std::erase_if(uses, [](const auto &entry) { return entry.second.empty(); });
  totals.erase(ordinal);
}

GraphMemory::Bytes GraphMemory::bytesOf(int ordinal) {
  std::lock_guard lock(mutex);
  return totals[ordinal];
}

void GraphMemory::resetMostUsed(int ordinal) {
  std::lock_guard lock(mutex);
  totals[ordinal].mostUsed = totals[ordinal].used;
}

} // namespace regrain
