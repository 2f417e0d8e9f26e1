//===- device_heap.h - Memory that kernels allocate -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This implements malloc and free of device code, bounded by cudaLimitMallocHeapSize.
// Memory lives across launches until it is freed or the device is reset.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace regrain::cpu {

/// Any threads may use it at once.
class DeviceHeap {
public:
  static constexpr size_t usualLimit = 8 << 20; ///< CUDA's default

  /// Returns the heap of the process: compiled code calls it without naming a
  /// device.
  static DeviceHeap &get();

  /// Returns null if the heap has too little left. An allocation of no bytes is
  /// valid, too.
  void *allocate(size_t bytes);
  void free(void *pointer);

  /// Sets the limit; returns false once a kernel has allocated, as on a GPU, whose heap
  /// is placed then.
  [[nodiscard]] bool setLimit(size_t bytes);
  size_t limitInBytes() const { return limit; }
  /// Stops counting all that kernels allocated, and restores the default limit. Memory that
  /// they did not free stays with the process, because its addresses are not recorded.
  void reset();

private:
  /// The header precedes each block and has its alignment.
  struct alignas(16) Header {
    size_t bytes;   ///< including the header
    uint32_t epoch; ///< number of resets before the allocation
  };
  bool reserve(size_t bytes);

  std::atomic<size_t> limit = usualLimit;
  std::atomic<size_t> used = 0; ///< including headers
  std::atomic<bool> isInUse = false;
  std::atomic<uint32_t> epoch = 0;
};

} // namespace regrain::cpu
