//===- allocations.h - Memory of the program on the devices -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning repeats launches, so it has to know which memory they can write. Code for pointers into
// different allocations (for.aliases=none) has to know what is one allocation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace regrain {

enum class MemoryKind : uint8_t {
  Device,
  Variable, ///< a module variable that kernels can write
  Managed,
  ManagedVariable, ///< a managed variable of a module
  Pinned,
  Mapped, ///< page-locked memory that is mapped for kernels
  Shared, ///< memory that another process can access
};

struct Allocation {
  void *pointer;
  size_t bytes;
  MemoryKind kind;
  size_t gapBytes = 0; ///< of the device's memory, which the gap behind the allocation takes
};

/// The allocations on one device, of which no two overlap. Any threads may use it at once.
class Allocations {
public:
  /// What is listed where the memory lies has been freed without this runtime.
  void add(void *pointer, size_t bytes, MemoryKind kind, size_t gapBytes = 0) {
    std::lock_guard lock(mutex);
    noteChange();
    auto at = byAddress.lower_bound(pointer);
    if (at != byAddress.begin() && endOf(std::prev(at)->second) > addressOf(pointer))
      --at;
    while (at != byAddress.end() && addressOf(at->first) < addressOf(pointer) + bytes) {
      bytesOfGaps -= at->second.gapBytes;
      at = byAddress.erase(at);
    }
    byAddress[pointer] = {pointer, bytes, kind, gapBytes};
    bytesOfGaps += gapBytes;
  }
  /// Removes the allocation from the list and returns it; nothing if it is not
  /// listed.
  std::optional<Allocation> take(void *pointer) {
    std::lock_guard lock(mutex);
    auto node = byAddress.extract(pointer);
    if (!node)
      return std::nullopt;
    noteChange();
    bytesOfGaps -= node.mapped().gapBytes;
    return node.mapped();
  }
  /// Notes that another process can access the allocation that contains the address.
  void share(const void *pointer) {
    std::lock_guard lock(mutex);
    noteChange();
    for (auto &[begin, allocation] : byAddress)
      if (auto offset = uintptr_t(pointer) - uintptr_t(begin); offset < allocation.bytes)
        allocation.kind = MemoryKind::Shared;
  }
  void clear() {
    std::lock_guard lock(mutex);
    noteChange();
    byAddress.clear();
    bytesOfGaps = 0;
  }
  /// Returns the allocations in the order of their addresses.
  std::vector<Allocation> list() {
    std::lock_guard lock(mutex);
    std::vector<Allocation> all;
    for (auto &[pointer, allocation] : byAddress)
      all.push_back(allocation);
    return all;
  }

  /// Returns how much of the device's memory the gaps behind allocations take.
  size_t gapBytes() {
    std::lock_guard lock(mutex);
    return bytesOfGaps;
  }

  /// Returns a number that grows with every change of the list, from 1. Takes no lock.
  uint64_t changes() const { return changeCount.load(std::memory_order_acquire); }

  /// Returns true if it is proved that the addresses which are not null point into different
  /// allocations, each of memory that has no other address. Where one allocation begins at the end
  /// of another, an address may stand for the end of that one too, as an array's last element is
  /// reached from there: it then points into both.
  bool areApart(std::span<const uintptr_t> addresses) {
    std::lock_guard lock(mutex);
    std::vector<const Allocation *> owners;
    for (uintptr_t address : addresses)
      if (address != 0 && !addOwners(address, owners))
        return false;
    std::sort(owners.begin(), owners.end());
    return std::adjacent_find(owners.begin(), owners.end()) == owners.end();
  }

private:
  static uintptr_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }
  static uintptr_t endOf(const Allocation &allocation) {
    return addressOf(allocation.pointer) + allocation.bytes;
  }
  void noteChange() { changeCount.fetch_add(1, std::memory_order_release); }

  /// Returns false if the address is in no allocation, or in memory that may have other addresses:
  /// page-locked memory of the host, and memory of several processes.
  bool addOwners(uintptr_t address, std::vector<const Allocation *> &owners) const {
    auto at = byAddress.upper_bound(reinterpret_cast<void *>(address));
    if (at == byAddress.begin())
      return false;
    const Allocation &owner = (--at)->second;
    bool hasOneAddress = owner.kind == MemoryKind::Device || owner.kind == MemoryKind::Managed;
    if (!hasOneAddress || address >= endOf(owner))
      return false;
    owners.push_back(&owner);
    if (at == byAddress.begin())
      return true;
    const Allocation &before = std::prev(at)->second;
    if (endOf(before) == address)
      owners.push_back(&before);
    return true;
  }

  std::mutex mutex;
  std::map<void *, Allocation> byAddress;
  size_t bytesOfGaps = 0;
  std::atomic<uint64_t> changeCount = 1;
};

} // namespace regrain
