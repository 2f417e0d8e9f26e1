//===- RegisterSteps.h - Grains that bound registers ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Multiprocessor.h"
#include "runtime/image/grain.h"
#include "runtime/image/resources.h"
#include <vector>

namespace regrain {

/// What the program says of the blocks of a kernel.
struct BlockBounds {
  unsigned threads = 0;       ///< of the usual block, as far as it is known or assumed
  unsigned mostThreads = 0;   ///< by launch bounds; 0: none
  unsigned leastBlocks = 0;   ///< per multiprocessor, by launch bounds; 0: none
  unsigned mostRegisters = 0; ///< by __maxnreg__; 0: none
};

/// The most grains that are proposed for a kernel.
inline constexpr unsigned mostRegisterSteps = 3;

/// Returns the grains that change how many blocks of a kernel are resident by its registers alone,
/// the nearest to the original first; `original` is what the original takes on this multiprocessor.
/// - More blocks with fewer registers: the steps at which the resident blocks grow by at least an
///   eighth, as far as threads and shared memory have room for them, and a thread keeps at least
///   half of its registers. A kernel with launch bounds for its usual block is told the blocks
///   (`blocks-per-sm=3`), which other chips turn into registers of their own, others the registers
///   (`registers=80`), which suit any launch.
/// - Instead, fewer blocks with more registers: if the original spills and its launch bounds
///   promise several blocks, one block less, and a single one. If they promise none, but the usual
///   block is smaller than they allow, a bound for that block (`bound=256`). If it spills within
///   the registers that __maxnreg__ leaves it, those of half the blocks (`registers=64`).
/// Nothing is proposed if the registers are not known.
[[nodiscard]] std::vector<Grain> registerSteps(const Multiprocessor &multiprocessor,
                                               const Resources &original,
                                               const BlockBounds &blocks);

/// Returns whether the grain changes nothing but such bounds, so that its code is about as large as
/// the original's.
[[nodiscard]] bool onlyBoundsRegisters(Grain grain);

} // namespace regrain
