//===- Multiprocessor.h - Resources of a multiprocessor ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

/// A multiprocessor, or the SIMD units that share local memory on an AMD GPU.
struct Multiprocessor {
  unsigned waveThreads; ///< threads that occupy one slot
  unsigned slots;
  unsigned blocks;
  uint64_t sharedBytes;
  uint64_t sharedUnit;     ///< the unit of allocation of shared memory, in bytes
  uint64_t sharedOfSystem; ///< bytes that the system uses per block, besides its own
};

/// Returns the number of resident blocks of `threads` threads with this much static shared memory,
/// as far as slots and that memory limit it; 0 if one block does not fit.
[[nodiscard]] unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                                      uint64_t sharedBytes);

} // namespace regrain
