//===- Cache.h - A cache of lines, the least recent leaves ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cache of several ways must fetch from memory and write back to it. A line
// that is written comes without a fetch: its other bytes are taken to be written
// soon, or to be masked. What is stored past the cache takes no place in it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace regrain::footprint {

/// By default the second-level cache of one die of an MI250X (AMD CDNA 2 white paper).
struct CacheShape {
  uint64_t bytes = 8 << 20; ///< a multiple of `ways` lines
  uint32_t ways = 16;
  uint32_t lineBytes = 128;
};

enum class Touch : uint8_t { Load, Store, StorePast };

class Cache {
public:
  explicit Cache(const CacheShape &shape)
      : ways(shape.ways), sets(shape.bytes / shape.lineBytes / shape.ways), slots(sets * ways) {}

  /// `line`: an address by the size of a line.
  void touch(uint64_t line, Touch how);

  uint64_t fetchedLines() const { return fetched; }
  /// With those that are still to be written back.
  uint64_t writtenLines() const;

private:
  struct Slot {
    uint64_t line = UINT64_MAX;
    uint64_t time = 0;
    bool isDirty = false;
  };

  uint64_t ways, sets;
  std::vector<Slot> slots; ///< the ways of a set stand together
  uint64_t time = 0, fetched = 0, written = 0;
};

} // namespace regrain::footprint
