//===- memory.h - Memory of the CPU device ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace regrain::cpu {

/// The table of the memory that the program allocated or registered. All of it
/// is host memory; with the table, calls return the results of a GPU.
class Memory {
public:
  enum class Kind : uint8_t { Device, Pinned, Managed, Registered };

  Memory();
  ~Memory() { freeAll(); }

  [[nodiscard]] cudaError_t allocate(Kind kind, size_t bytes, unsigned flags, void *&out);
  /// Frees an allocation of `kind`, or of Managed if Device is given.
  [[nodiscard]] cudaError_t free(Kind kind, void *pointer);
  /// Withdraws from the program an allocation that free(Device) would free; pending
  /// work may still use it.
  [[nodiscard]] cudaError_t retire(void *pointer);
  /// Frees a withdrawn allocation.
  void freeRetired(void *pointer);
  [[nodiscard]] cudaError_t registerHost(void *pointer, size_t bytes, unsigned flags);
  [[nodiscard]] cudaError_t unregisterHost(void *pointer);
  [[nodiscard]] cudaError_t hostFlags(const void *pointer, unsigned &flags);
  void attributes(const void *pointer, cudaPointerAttributes &out);
  /// Returns whether the program may use the memory only after the stream's
  /// work; it may use ordinary host memory as soon as a copy's call returns.
  bool isKnown(const void *pointer);
  /// Returns false if the bytes start in an allocation of the device and go beyond its end. Other
  /// memory is the host's, whose extent is not known.
  bool holds(const void *pointer, size_t bytes);
  void info(size_t &freeBytes, size_t &totalBytes);
  void freeAll();

private:
  struct Block {
    size_t bytes;
    Kind kind;
    unsigned flags;
  };
  const Block *findBlock(const void *pointer);

  std::mutex mutex;
  std::map<uintptr_t, Block> blocks;
  std::map<uintptr_t, Block> retired;
  size_t totalBytes = 0;
  /// The host's free memory when the device was opened. Other processes change the
  /// present value; a program relies on the effect of its own allocations.
  size_t startBytes = 0;
  size_t allocatedBytes = 0;
};

} // namespace regrain::cpu
