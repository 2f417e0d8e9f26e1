//===- allocations.h - Memory that the program got from us ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning repeats launches, so it has to know what they can write.
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
  Variable, ///< of a module, writable by kernels
  Managed,
  ManagedVariable, ///< of a module
  Pinned,
  Mapped, ///< page-locked and asked to be visible to kernels
};

struct Allocation {
  void *pointer;
  size_t bytes;
  MemoryKind kind;
};

/// The allocations on one device. May be used by any threads at once.
class Allocations {
public:
  void add(void *pointer, size_t bytes, MemoryKind kind) {
    std::lock_guard lock(mutex);
    byAddress[pointer] = {pointer, bytes, kind};
  }
  /// Takes it off the list; nothing where it is not there.
  std::optional<Allocation> take(void *pointer) {
    std::lock_guard lock(mutex);
    auto node = byAddress.extract(pointer);
    return node ? std::optional(node.mapped()) : std::nullopt;
  }
  void clear() {
    std::lock_guard lock(mutex);
    byAddress.clear();
  }
  /// In the order of their addresses.
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
