//===- snapshot.h - A copy of device memory ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy is on the device if there is room, otherwise on the host. Copies are
// ordered by the stream that they are given; comparing waits for the device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/tuning/copy_bytes.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace regrain {

/// Device memory, [begin, begin + bytes).
struct MemoryRange {
  std::byte *begin;
  size_t bytes;
};

/// Returns the sum of the bytes of ranges that do not overlap.
[[nodiscard]] uint64_t totalBytes(const std::vector<MemoryRange> &ranges);

class Snapshot {
public:
  enum class Place : uint8_t { Device, Host };

  /// The unit of comparisons.
  static constexpr size_t pageBytes = 16 << 10;

  /// Copies `ranges`, which do not overlap. Returns cudaErrorMemoryAllocation if
  /// there is no room in `place`.
  [[nodiscard]] static cudaError_t take(Device &device, std::vector<MemoryRange> ranges,
                                        Place place, cudaStream_t stream,
                                        std::unique_ptr<Snapshot> &out);
  ~Snapshot();
  Snapshot(const Snapshot &) = delete;

  /// Gives the differences from the snapshot, in whole pages of each range, with
  /// neighbours joined.
  [[nodiscard]] cudaError_t changed(std::vector<MemoryRange> &out);

  /// Gives the present contents of `range`, which lies in one of the snapshot's, and
  /// those in the snapshot.
  [[nodiscard]] cudaError_t read(const MemoryRange &range, std::byte *now, std::byte *then);

  /// Writes back the parts of `ranges`, each of which lies in one of the snapshot's.
  [[nodiscard]] cudaError_t restore(const std::vector<MemoryRange> &ranges, cudaStream_t stream);
  /// Writes back everything.
  [[nodiscard]] cudaError_t restore(cudaStream_t stream);

  const std::vector<MemoryRange> &ranges() const { return pieces; }
  Place place() const { return where; }
  /// Returns the size of the copies, on the device or on the host.
  const CopyBytes &bytes() const { return taken; }

private:
  Snapshot(Device &device, std::vector<MemoryRange> ranges, Place place);
  cudaError_t allocate();
  std::byte *copyOf(const std::byte *address) const;
  cudaError_t compare(const MemoryRange &range, std::vector<uint8_t> &pages);
  cudaError_t copy(std::byte *to, const std::byte *from, size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream);

  Device &device;
  Place where;
  std::vector<MemoryRange> pieces; ///< sorted by address
  std::vector<size_t> offsets;     ///< of their copies
  CopyBytes taken;
  std::byte *storage = nullptr;
  std::byte *staging = nullptr; ///< device memory for a snapshot on the host
};

} // namespace regrain
