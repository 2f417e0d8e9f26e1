//===- Multiprocessor.h - What runs side by side on a GPU -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

/// A multiprocessor, or what shares local memory on an AMD GPU.
struct Multiprocessor {
  unsigned waveThreads; ///< threads that take one slot
  unsigned slots;
  unsigned blocks;
  uint64_t sharedBytes;
  uint64_t sharedUnit;     ///< shared memory is given out in these units
  uint64_t sharedOfSystem; ///< bytes of each block, beside its own
};

/// Blocks of `threads` threads with as much static shared memory that it holds at once, as
/// far as slots and that memory go; 0 where one does not fit.
[[nodiscard]] unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                                      uint64_t sharedBytes);

} // namespace regrain
