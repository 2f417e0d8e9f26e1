//===- allocations.h - Memory of the program on the devices -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning repeats launches, so it has to know which memory they can write.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
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
};

/// The allocations on one device. Any threads may use it at once.
class Allocations {
public:
  void add(void *pointer, size_t bytes, MemoryKind kind) {
    std::lock_guard lock(mutex);
    byAddress[pointer] = {pointer, bytes, kind};
  }
  /// Removes the allocation from the list and returns it; nothing if it is not
  /// listed.
  std::optional<Allocation> take(void *pointer) {
    std::lock_guard lock(mutex);
    auto node = byAddress.extract(pointer);
    return node ? std::optional(node.mapped()) : std::nullopt;
  }
  /// Notes that another process can access the allocation that contains the address.
  void share(const void *pointer) {
    std::lock_guard lock(mutex);
    for (auto &[begin, allocation] : byAddress)
      if (auto offset = uintptr_t(pointer) - uintptr_t(begin); offset < allocation.bytes)
        allocation.kind = MemoryKind::Shared;
  }
  void clear() {
    std::lock_guard lock(mutex);
    byAddress.clear();
  }
  /// Returns the allocations in the order of their addresses.
  std::vector<Allocation> list() {
    std::lock_guard lock(mutex);
    std::vector<Allocation> all;
    for (auto &[pointer, allocation] : byAddress)
      all.push_back(allocation);
    return all;
  }

private:
  std::mutex mutex;
  std::map<void *, Allocation> byAddress;
};

} // namespace regrain
