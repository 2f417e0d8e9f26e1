//===- CoarsenThreads.h - Fewer threads with more work each -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   grain.threads (%x) { f(%x) }
//     =>  grain.threads (%x) factors [F] { f(%x); f(%x + size / F); ... }
//
// interleaved (UnrollAndInterleave.h). Where the distribution is strided,
// neighbouring threads still access neighbouring addresses; where it is
// contiguous, f(%x * F); f(%x * F + 1); ..., accesses of one thread are
// neighbours and can be made wider, and what neighbours have in common is
// computed once (Neighbours.h).
//
// In fused blocks (FuseBlocks.h), strided threads are all of one block of the program if its size
// is known and a multiple of the factor: `size` is that of the block, and what they exchange in
// shared memory stays in one thread. Otherwise `size` is that of all fused blocks.
//
// Legality. The threads of a block run at the same time and meet at barriers, which the copies run
// together. The transform refuses:
// - a loop that waits for another thread;
// - a barrier under control that differs between the joined threads, if the guard cannot be split
//   (SplitGuards.h);
// - operations that may synchronise in ways that are not understood.
//
// Warp operations are legal if each launched warp stands for whole warps of the program;
// `whole_warps` requires that of the launch. A contiguous distribution joins lanes of one warp,
// which is legal as JoinLanes.h says, for a power of two of neighbours in x. It is refused in
// blocks of another shape, whose lanes may be of several warps. A part of one of several fused
// blocks has to have whole warps, too; if it has not, the distance is that in all of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

enum class Distribution { Strided, Contiguous };

/// Gives each thread of `blocks` the work of factors[0] * factors[1] * factors[2] threads. With
/// `joinsGuards`, guards of neighbours in x are joined (UnrollAndInterleave.h); if there is none
/// that can be, this is refused. On success `blocks` is the new nest; otherwise nothing has
/// changed.
[[nodiscard]] std::optional<Refusal> coarsenThreads(grain::BlocksOp &blocks, const Factors &factors,
                                                    Distribution distribution,
                                                    bool joinsGuards = false);

} // namespace regrain
