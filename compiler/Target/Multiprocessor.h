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
  /// The registers of 32 bits, of which each slot is allocated a multiple of `registerUnit`, and
  /// the number of slots among which they are divided evenly; 0 if the registers that a thread
  /// takes depend on more than that.
  unsigned registers = 0, registerUnit = 0, slotUnit = 0;
};

/// Returns the number of resident blocks of `threads` threads with this much static shared memory,
/// as far as slots and that memory limit it; 0 if one block does not fit.
[[nodiscard]] unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                                      uint64_t sharedBytes);

/// Returns the same if each thread takes `registers` registers, at least one, of a multiprocessor
/// whose registers are known.
[[nodiscard]] unsigned residentBlocks(const Multiprocessor &multiprocessor, unsigned threads,
                                      uint64_t sharedBytes, unsigned registers);

/// Returns the most registers that a thread may take so that `blocks` blocks of `threads` threads
/// have room in the registers; 0 if they have none.
[[nodiscard]] unsigned mostRegisters(const Multiprocessor &multiprocessor, unsigned threads,
                                     unsigned blocks);

} // namespace regrain
