//===- pointer_verdicts.cpp - Pointers into different allocations ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/pointer_verdicts.h"

#include <cstring>

namespace regrain {
PointerVerdicts::PointerVerdicts(size_t count) {
  for (Slot &slot : slots)
    slot.pointers = std::make_unique<std::atomic<uintptr_t>[]>(count);
}

/// A verdict that a thread is writing is not found. What is read with `acquire` after the first
/// read of `writes` is either the old verdict, or makes the second read see the change.
std::optional<bool> PointerVerdicts::find(const Slot &slot, std::span<const uintptr_t> pointers,
                                          uint64_t changes) {
  uint32_t writes = slot.writes.load(std::memory_order_acquire);
  if (writes % 2 != 0 || slot.changes.load(std::memory_order_acquire) != changes)
    return std::nullopt;
  for (size_t i = 0; i < pointers.size(); ++i)
    if (slot.pointers[i].load(std::memory_order_acquire) != pointers[i])
      return std::nullopt;
  bool areApart = slot.areApart.load(std::memory_order_acquire);
  return slot.writes.load(std::memory_order_relaxed) == writes ? std::optional(areApart)
                                                               : std::nullopt;
}

/// Of two threads that write at once, one leaves the slot as it is.
void PointerVerdicts::note(Slot &slot, std::span<const uintptr_t> pointers, uint64_t changes,
                           bool areApart) {
  uint32_t writes = slot.writes.load(std::memory_order_relaxed);
  if (writes % 2 != 0 ||
      !slot.writes.compare_exchange_strong(writes, writes + 1, std::memory_order_acq_rel))
    return;
  slot.changes.store(changes, std::memory_order_release);
  slot.areApart.store(areApart, std::memory_order_release);
  for (size_t i = 0; i < pointers.size(); ++i)
    slot.pointers[i].store(pointers[i], std::memory_order_release);
  slot.writes.store(writes + 2, std::memory_order_release);
}

bool PointerVerdicts::areApart(const LaunchArguments &arguments, Allocations &allocations) {
  std::array<uintptr_t, mostPointers> values;
  size_t count = arguments.pointers.size();
  if (count > values.size())
    return false;
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&values[i], arguments.values[arguments.pointers[i]], sizeof(uintptr_t));
  std::span<const uintptr_t> pointers(values.data(), count);
  // A change after this voids the verdict that is noted below.
  uint64_t changes = allocations.changes();
  for (const Slot &slot : slots)
    if (std::optional<bool> known = find(slot, pointers, changes))
      return *known;
  bool areApart = allocations.areApart(pointers);
  note(slots[next.fetch_add(1, std::memory_order_relaxed) % slots.size()], pointers, changes,
       areApart);
  return areApart;
}

} // namespace regrain
