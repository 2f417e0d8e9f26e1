//===- pointer_verdicts.h - Pointers into different allocations -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches of a kernel have pointers that it has had before, and the list of allocations has
// not changed since. Then the verdict of that launch holds, and neither a lock nor memory is
// needed. Every change of the list voids all verdicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/allocations.h"
#include "runtime/core/alternative.h"

#include <array>
#include <memory>

namespace regrain {

/// Whether the pointers of a kernel's launches point into different allocations. Any threads may
/// use it at once.
class PointerVerdicts {
public:
  /// For a kernel with more pointers, no verdict is true.
  static constexpr size_t mostPointers = 256;

  /// `count` is the number of pointers of a launch.
  explicit PointerVerdicts(size_t count);

  /// Returns Allocations::areApart of the pointers.
  [[nodiscard]] bool areApart(const LaunchArguments &arguments, Allocations &allocations);

private:
  /// One verdict. `writes` is odd while a thread changes the others.
  struct Slot {
    std::atomic<uint32_t> writes = 0;
    std::atomic<uint64_t> changes = 0; ///< of the list of allocations; 0: there is no verdict
    std::atomic<bool> areApart = false;
    std::unique_ptr<std::atomic<uintptr_t>[]> pointers;
  };

  static std::optional<bool> find(const Slot &slot, std::span<const uintptr_t> pointers,
                                  uint64_t changes);
  static void note(Slot &slot, std::span<const uintptr_t> pointers, uint64_t changes,
                   bool areApart);

  /// Programs alternate between a few sets of pointers, as when they exchange two buffers.
  std::array<Slot, 8> slots;
  std::atomic<uint32_t> next = 0; ///< the slot that is written next
};

} // namespace regrain
