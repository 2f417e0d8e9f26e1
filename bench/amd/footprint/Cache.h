//===- Cache.h - A cache of lines that evicts the oldest --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This models what a set-associative cache fetches from memory and writes back to
// it. A line that is written is not fetched: its other bytes are assumed to be
// written soon, or to be masked. Stores past the cache occupy no line in it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace regrain::footprint {

/// The default is the second-level cache of one die of an MI250X (AMD CDNA 2 white
/// paper).
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

  /// `line` is an address divided by the size of a line.
  void touch(uint64_t line, Touch how);

  uint64_t fetchedLines() const { return fetched; }
  /// Includes the lines that are still to be written back.
  uint64_t writtenLines() const;

private:
  struct Slot {
    uint64_t line = UINT64_MAX;
    uint64_t time = 0;
    bool isDirty = false;
  };

  uint64_t ways, sets;
  std::vector<Slot> slots; ///< the ways of a set are adjacent
  uint64_t time = 0, fetched = 0, written = 0;
};

} // namespace regrain::footprint
