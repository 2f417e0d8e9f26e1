//===- expected_memory.h - What memory holds after a run --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result is kept as the snapshot before the run, and over that one of what the run
// wrote: nothing is kept twice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/snapshot.h"

#include <functional>

namespace regrain {

/// What of `ranges` lies outside of `holes`. Both by address, each without overlap.
[[nodiscard]] std::vector<MemoryRange> outside(const std::vector<MemoryRange> &ranges,
                                               const std::vector<MemoryRange> &holes);

/// What of `ranges` lies in `others`.
[[nodiscard]] std::vector<MemoryRange> within(const std::vector<MemoryRange> &ranges,
                                              const std::vector<MemoryRange> &others);

/// All of both, by address.
[[nodiscard]] std::vector<MemoryRange> together(const std::vector<MemoryRange> &ranges,
                                                const std::vector<MemoryRange> &others);

class ExpectedMemory {
public:
  /// The first has all memory; each counts where no later one has it. They outlive this.
  explicit ExpectedMemory(std::vector<Snapshot *> layers) : layers(std::move(layers)) {}

  /// What differs now, in whole pages, with some between that do not.
  [[nodiscard]] cudaError_t differing(std::vector<MemoryRange> &out);

  /// What memory holds in `ranges`, and what it is to hold, in order and in pieces of at
  /// most a page that lie in one allocation, until `visit` gives false.
  using Visit = std::function<bool(std::byte *at, std::span<const std::byte> now,
                                   std::span<const std::byte> expected)>;
  [[nodiscard]] cudaError_t compare(const std::vector<MemoryRange> &ranges, const Visit &visit);

  /// The first byte in `ranges` that differs; null where none does.
  [[nodiscard]] cudaError_t firstDifference(const std::vector<MemoryRange> &ranges,
                                            const std::byte *&at);

  /// Writes back what `ranges` is to hold.
  [[nodiscard]] cudaError_t restore(const std::vector<MemoryRange> &ranges, cudaStream_t stream);

private:
  struct Part {
    Snapshot *layer;
    MemoryRange range;
  };
  std::vector<Part> partsOf(const std::vector<MemoryRange> &ranges) const;

  std::vector<Snapshot *> layers;
};

} // namespace regrain
