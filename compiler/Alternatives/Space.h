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

/// Returns grains for a kernel, without the original, in the dimensions that it reads:
/// - block factors 2 to 9 and 16, with a product of at most 16 (the best published ones are 7 and
///   9; any factor is legal), or 64 if the blocks seen are too small to fill a multiprocessor,
///   combined with thread factors 2, 4, 8, with a product of at most 8 (they must divide the block
///   of the launch);
/// - if the seen block is worth compiling for, all these also for launches with that block, the
///   original first;
/// - if a target gives the threads of small blocks more registers and the grain may need them, all
///   these for launched blocks that are no larger than the program's are, or usually are
///   (docs/decisions/0027);
/// - block factors alone, with the copies of static shared arrays apart (docs/decisions/0015);
/// - if blocks accumulate in shared arrays by atomic operations, block factors of 256 to 8 with
///   common arrays, the large ones in steps, behind them the same with neighbours whose accesses
///   are joined; if that is not possible, one of them, which tells why (docs/decisions/0131);
/// - contiguous thread factors in x if accesses may then be widened; if that takes pointers and row
///   strides that are aligned, first those for launches in which they are, where neighbours touch 8
///   to 32 bytes (docs/decisions/0079), before these for launches in which neighbours also divide
///   their numbers by multiples (docs/decisions/0112); without block factors, also with as many
///   blocks fused, so that the launched block keeps its size, if no thread works with another, and
///   with arithmetic on pairs, if a target has it and the kernel converts 8-bit numbers
///   (docs/decisions/0087);
/// - the original for launches with aligned pointers and row strides, if a thread may access
///   several neighbours itself;
/// - if the kernel reads and writes through parameters that may meet, the original, and neighbours
///   and originals for aligned pointers, for launches whose pointers are in different allocations
///   (docs/decisions/0083);
/// - 2, 4, 8 or 16 fused blocks if blocks are small (launch bounds below smallBlock) or of unknown
///   size, with at most one more factor, or two block factors if the blocks seen are that small;
/// - if a loop of unknown length forms addresses in more than one way, the other ways
///   (docs/decisions/0024), with at most one factor of 2 or 4;
/// - if blocks stride through a range, as many neighbours for each thread as make the widest access
///   and half of it, for aligned pointers, and for pointers into different allocations if they
///   could meet (docs/decisions/0139);
/// - streaming stores and loads, and loads that prefetch more, if a target has them
///   (docs/decisions/0027, 0080), with at most one factor of 2 or 4;
/// - for a block that is seen or likely, the factors at which it is one warp, if threads then
///   exchange in registers what they exchange in shared memory (docs/decisions/0084), also with 4
///   or 8 of these warps as one block, in x and in y;
/// - for launches that are seen and whose rows fit into registers, these, also with 2, 4 or 8
///   threads in x (docs/decisions/0105), and the program's own code for them, all on pairs of 8-bit
///   numbers if a target has such arithmetic (docs/decisions/0143);
/// - if a target can be told so: loops of known length unrolled completely that the code generator
///   would not unroll so by itself, other loops by 4, by 8 or not at all, and short guarded code in
///   loops without its branch (docs/decisions/0078), with at most one factor of 2 or 4;
/// - sums in another order, if the build permits it (docs/decisions/0088), with at most one factor
///   of 2 or 4;
/// - static shared arrays in global memory if a target then holds more blocks of the original
///   (docs/decisions/0031), with at most one factor of 2 or 4;
/// - if a thread has a loop over neighbouring elements that lanes can share, 32 lanes in blocks of
///   256 or 128, also for pointers into different allocations if that lets more loops be shared,
///   and with sums in another order if the build permits it (docs/decisions/0104);
/// - if blocks can run in steps and keep what they read again in registers, columns of 8 or 16
///   blocks in 4 or 16 steps, also with neighbours whose aligned accesses are joined
///   (docs/decisions/0114);
/// - if a block can copy what it loads in a loop into shared memory, that in blocks of 128 and 256
///   threads with 16 to 64 elements in each, for aligned launches first (docs/decisions/0113);
/// - if threads of a plane read shared memory at least eight times as often as global memory, 2x4,
///   4x4 and 4x8 neighbours in a thread, which then has few reads for each result, where a warp is
///   left of the block;
/// - if rows of joined blocks fill a part of that memory alike and columns the other part, blocks
///   joined in both dimensions, with 64 and 32 results in a thread, and neighbours where blocks are
///   large;
/// - reshaped blocks of 64 to 512 threads if no thread works with another, with at most one more
///   factor; the lanes lie along x, and along a dimension in which more accesses are consecutive.
///
/// The best prediction comes first, so that each prefix is a sensible space for its budget. The
/// order is by tiers, and within a tier by the prediction of Model.h. A factor adds to the tier of
/// its grain: 2 adds nothing, 4 adds two, 3 and 8 add three, 6, 7 and 9 four, others six, and a
/// thread factor of 8 three more. Each factor after the first adds three more, so that one factor
/// in all its sizes precedes combinations of larger ones. A shape of 256 threads adds nothing,
/// another shape three; other addresses, loads, stores or memory of shared arrays add one, other
/// loops and branches, and pointers into different allocations, two. Neighbours whose aligned
/// accesses become one of 16 bytes add nothing, of 8 one, two of 16 two; arithmetic on pairs beside
/// them adds one, and fusion that keeps the size of the launched block nothing. A block that is one
/// warp and exchanges in registers adds two, whatever its factors are, and nothing if accesses in
/// x are joined as well. Lanes that share a thread, tiles of loops, larger tiles, and blocks that
/// accumulate in common arrays, come first, as rows in registers do: by estimate they gain most;
/// two joined threads add one to those, more three, and threads that are no neighbours one more.
/// Then come the program's code for launches with such rows, and neighbours in two dimensions.
/// Blocks in steps come behind what adds nothing. These come later:
/// - by six, what is predicted to be slower than the original by a quarter;
/// - by one, a block factor in a dimension across which fewer accesses (by a tenth of all) are
///   shared than across another;
/// - what is nearly the same as another grain: any block if the seen one is worth compiling for, or
///   any size of it if that decides on registers (3), threads at a stride if neighbours may be
///   taken instead (4), neighbours for any pointers if they can be aligned (1), shared arrays apart
///   (8), the seen block as a shape (12), each further fusion or shape with the same combination of
///   block and thread factors (1 more each time), and, if the blocks seen are that small, each
///   further grain;
/// - by three, shared arrays in global memory if fewer than a quarter more blocks are then
///   resident;
/// - by six, fusion that makes blocks larger which are seen not to be small;
/// - by four, fusion that keeps the size of the launched block, if the grid has more than one
///   dimension.
///
/// A block factor comes earlier by one in a dimension in which the shape has one thread: the copies
/// then run neighbours, which share what a stencil reads. If the blocks seen are too small to fill
/// the GPU, grains that are predicted to be faster come earlier, by three for each factor of two,
/// because the limit is known in that case.
[[nodiscard]] std::vector<Grain> enumerateGrains(const Statistics &statistics);

/// The estimate of registers above which a bound is proposed. It is half of what a thread has
/// without a bound on a target where that matters (gfx90a, 1024 threads), because the estimate may
/// be wrong by that much.
inline constexpr double manyRegisters = 64;

/// Blocks with fewer threads fill a multiprocessor badly.
inline constexpr unsigned smallBlock = 128;
/// With fewer threads per block, the maximum number of resident blocks does not fill a
/// multiprocessor.
inline constexpr unsigned tinyBlock = 64;

} // namespace regrain
