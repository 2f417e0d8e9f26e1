//===- device_heap.h - Memory that kernels allocate -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc and free of device code, bounded by cudaLimitMallocHeapSize. Memory lives over
// launches until it is freed or the device is reset.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace regrain::cpu {

/// May be used by any threads at once.
class DeviceHeap {
public:
  static constexpr size_t usualLimit = 8 << 20; ///< as CUDA has it

  /// The process's: compiled code calls it by no device.
  static DeviceHeap &get();

  /// Null where the heap has too little left. No bytes are an allocation, too.
  void *allocate(size_t bytes);
  void free(void *pointer);

  /// False once a kernel has allocated, as on a GPU, where the heap has its place then.
  [[nodiscard]] bool setLimit(size_t bytes);
  size_t limitInBytes() const { return limit; }
  /// All that kernels allocated does not count any more, and the limit is the usual one. What
  /// they did not free stays with the process: nobody knows where it is.
  void reset();

private:
  /// Ahead of each block, and as aligned as it.
  struct alignas(16) Header {
    size_t bytes;   ///< its own included
    uint32_t epoch; ///< resets before it was allocated
  };
  bool reserve(size_t bytes);

  std::atomic<size_t> limit = usualLimit;
  std::atomic<size_t> used = 0; ///< headers included
  std::atomic<bool> isInUse = false;
  std::atomic<uint32_t> epoch = 0;
};

} // namespace regrain::cpu
