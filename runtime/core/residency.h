//===- residency.h - How many blocks share a multiprocessor -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A multiprocessor holds as many blocks as its shared memory has room for. A launch whose blocks
// ask for more of it, or which leaves the multiprocessor less of it, has fewer resident blocks.
// This computes what such a launch asks for; it needs no device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace regrain {

/// The shared memory of a device. All sizes are in bytes.
struct SharedMemoryUnits {
  uint64_t reserved = 0;     ///< of each block that asks for any, beside what it asks for
  uint64_t granule = 1;      ///< blocks get multiples of it
  uint64_t mostPerBlock = 0; ///< that a block can ask for
  /// What a multiprocessor can have, ascending. A launch can ask for a part of the last one if
  /// there are others.
  std::vector<uint64_t> sizes;
};

/// What one block of a launch asks for. All sizes are in bytes.
struct BlockMemory {
  uint64_t statics = 0;
  uint64_t dynamic = 0;
  uint64_t mostDynamic = 0; ///< that the code may be launched with
  uint64_t multiple = 1;    ///< the dynamic memory stays a multiple of it, if it is one
};

/// How a launch keeps the number of resident blocks down.
struct Residency {
  uint64_t dynamicBytes = 0;             ///< of a block, at least what it asks for by itself
  std::optional<uint32_t> sharedPercent; ///< as Launch::sharedPercent
  friend bool operator==(const Residency &, const Residency &) = default;
};

/// The most steps that residentSteps gives.
inline constexpr size_t mostResidentSteps = 2;

/// Returns the limits that are worth trying where a multiprocessor holds `blocks` blocks, the
/// highest first.
[[nodiscard]] std::vector<uint64_t> residentSteps(uint64_t blocks);

/// Returns how `blocks` blocks find room on a multiprocessor, and no more of them do: with as
/// little shared memory of the multiprocessor as it can, which leaves the rest for the first-level
/// cache, and then with little of a block. Returns nothing if the blocks do not find room, or if a
/// block would need more than it can have.
[[nodiscard]] std::optional<Residency> limitResidency(const SharedMemoryUnits &units,
                                                      const BlockMemory &block, uint64_t blocks);

} // namespace regrain
