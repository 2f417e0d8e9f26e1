//===- Space.h - Which grains are worth compiling ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Grains for a kernel, without the original, in the dimensions that it reads:
///   - block factors 2 to 9 and 16, 16 in all (the published peaks lie at 7 and
///     9; any factor is legal), or 64 in all where the blocks seen are so small that
///     a multiprocessor cannot be filled with them, with thread factors 2, 4, 8, 8
///     in all (they must divide the block of the launch);
///   - where the block seen is worth compiling for, all these also for launches with
///     it, the original first;
///   - where a target gives the threads of small blocks more registers and the grain may
///     need them, all these for launched blocks that are no larger than the program's are
///     or mostly are (docs/decisions/0027);
///   - block factors alone with the copies of static shared arrays apart
///     (docs/decisions/0015);
///   - contiguous thread factors in x where accesses may then be widened;
///   - 2, 4, 8 or 16 blocks fused where blocks are small (launch bounds under
///     smallBlock) or of unknown size, with or without one more factor, or two of
///     blocks where those seen are as small as that;
///   - where a loop of unknown length forms addresses in more than one way, the
///     others (docs/decisions/0024), with or without one factor of 2 or 4;
///   - stores past the caches where a target has them (docs/decisions/0027), with or
///     without one factor of 2 or 4;
///   - static shared arrays in global memory where a target then holds more blocks of the
///     original (docs/decisions/0031), with or without one factor of 2 or 4;
///   - blocks of 64 to 512 threads cut anew where no thread works with another,
///     with or without one more factor; lanes along x, and along a dimension in
///     which more accesses are consecutive.
///
/// Best guess first, so that a prefix is a sensible space at any budget. The
/// order is by tiers, and in a tier by the prediction of Model.h. A factor adds to
/// the tier of its grain: 2 nothing, 4 two, 3 and 8 three, 6, 7 and 9 four, others
/// and 8 threads six; each factor after the first three more, so that one factor at all its sizes
/// stands before combinations of larger ones. A shape of 256 threads adds nothing,
/// another three, other addresses, stores or memory of shared arrays one. Later stand
///   - by six, what is predicted to be slower than the original by a quarter;
///   - by one, a factor of blocks in a dimension across which fewer accesses (by a
///     tenth of all) are shared than across another;
///   - what is nearly the same as another: any block where the one seen is worth
///     compiling for, or any size of it where that decides on registers (3), threads at a stride
///     where neighbours may be taken instead (4), shared arrays apart (8), the block seen as a
///     shape (12), each further fusion or shape that has, or has not, factors of blocks, of
///     threads, or both (1 more each time), and where the blocks seen are that small each further
///     grain;
///   - by three, shared arrays in global memory where not a quarter more blocks are resident then;
///   - by six, fusion of blocks that are seen not to be small.
/// Earlier by one stands a factor of blocks where their shape has one thread in that
/// dimension: the copies then run neighbours, which share what a stencil reads.
/// Where the blocks seen are too small to fill the GPU, what is predicted to be faster
/// stands earlier, by three for each factor of two: the limit is known there.
[[nodiscard]] std::vector<Grain> enumerateGrains(const Statistics &statistics);

/// Half of what a thread has without a bound on a target where that matters (gfx90a, 1024
/// threads): so wrong may the guess be.
inline constexpr double manyRegisters = 64;

/// Blocks of fewer threads fill a multiprocessor badly.
inline constexpr unsigned smallBlock = 128;
/// As many blocks of fewer threads as a multiprocessor holds do not fill it.
inline constexpr unsigned tinyBlock = 64;

} // namespace regrain
