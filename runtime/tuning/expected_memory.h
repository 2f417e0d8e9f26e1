//===- expected_memory.h - Expected memory after a run ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result is kept as the snapshot before the run, overlaid by a snapshot of what
// the run wrote: nothing is kept twice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/snapshot.h"

#include <functional>

namespace regrain {

/// Returns the parts of `ranges` outside of `holes`. Both are sorted by address and
/// have no overlaps.
[[nodiscard]] std::vector<MemoryRange> outside(const std::vector<MemoryRange> &ranges,
                                               const std::vector<MemoryRange> &holes);

/// Returns the parts of `ranges` inside of `others`.
[[nodiscard]] std::vector<MemoryRange> within(const std::vector<MemoryRange> &ranges,
                                              const std::vector<MemoryRange> &others);

/// Returns the union of both, sorted by address.
[[nodiscard]] std::vector<MemoryRange> together(const std::vector<MemoryRange> &ranges,
                                                const std::vector<MemoryRange> &others);

class ExpectedMemory {
public:
  /// The first snapshot has all memory; each later one takes precedence over those
  /// before. They outlive this object.
  explicit ExpectedMemory(std::vector<Snapshot *> layers) : layers(std::move(layers)) {}

  /// Gives the pages that differ now, possibly with pages between them that do
  /// not.
  [[nodiscard]] cudaError_t differing(std::vector<MemoryRange> &out);

  /// Visits the present and the expected contents of `ranges`, in order and in pieces of
  /// at most `pieceBytes` that lie in one allocation, until `visit` returns false.
  using Visit = std::function<bool(std::byte *at, std::span<const std::byte> now,
                                   std::span<const std::byte> expected)>;
  [[nodiscard]] cudaError_t compare(const std::vector<MemoryRange> &ranges, const Visit &visit);

  /// Gives the first byte in `ranges` that differs; null if there is none.
  [[nodiscard]] cudaError_t firstDifference(const std::vector<MemoryRange> &ranges,
                                            const std::byte *&at);

  /// Restores the expected contents of `ranges`.
  [[nodiscard]] cudaError_t restore(const std::vector<MemoryRange> &ranges, cudaStream_t stream);

private:
  struct Part {
    Snapshot *layer;
    MemoryRange range;
  };
  std::vector<Part> partsOf(const std::vector<MemoryRange> &ranges) const;

  /// Each piece costs two copies from the device, whose latency is that of some hundred KiB.
  static constexpr size_t pieceBytes = 64 * Snapshot::pageBytes;

  std::vector<Snapshot *> layers;
};

} // namespace regrain
