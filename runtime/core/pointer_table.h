//===- pointer_table.h - Immutable map keyed by addresses -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace regrain {

/// Maps addresses to objects; it is filled once, and then any thread may read
/// it.
template <typename T> class PointerTable {
public:
  /// Of several entries with the same address, the first one stays.
  void fill(const std::vector<std::pair<const void *, T *>> &entries) {
    slots.assign(std::bit_ceil(entries.size() * 2 + 1), {nullptr, nullptr});
    for (const auto &entry : entries) {
      auto &slot = slots[slotOf(entry.first)];
      if (!slot.second)
        slot = entry;
    }
  }

  /// Returns null if the address is not in the table.
  T *find(const void *address) const { return slots[slotOf(address)].second; }

private:
  /// Returns the slot of the address, or the free one for it. The table is at
  /// most half full.
  size_t slotOf(const void *address) const {
    uint64_t hash = reinterpret_cast<uintptr_t>(address) * 0x9E3779B97F4A7C15;
    size_t at = (hash >> 32) & (slots.size() - 1);
    while (slots[at].second && slots[at].first != address)
      at = (at + 1) & (slots.size() - 1);
    return at;
  }

  std::vector<std::pair<const void *, T *>> slots = {{nullptr, nullptr}};
};

} // namespace regrain
