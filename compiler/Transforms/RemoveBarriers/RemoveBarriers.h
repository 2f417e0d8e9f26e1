//===- RemoveBarriers.h - Barriers that order nothing -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   s[tx] = a; barrier; b = s[tx]; g[tx] = b; barrier        (nobody else's s)
//     =>  s[tx] = a; b = s[tx]; g[tx] = b
//
//   s[tx] = a; barrier; b = s[tx + 1]; c = g[tx + 1]; barrier; g[tx] = b + c
//     =>  s[tx] = a; c = g[tx + 1]; barrier; b = s[tx + 1]; g[tx] = b + c
//
// Coarsening leaves barriers between operations that one thread now runs, and programs contain more
// barriers than they need.
//
// Legality. A barrier is removed if no access in the phase before it may touch what an access of
// another thread of the block in the phase after it touches, if one of them writes (Intervals.h).
// Accesses that are further apart are ordered by another barrier. Two accesses conflict unless it
// is proved that only one and the same thread touches the memory. Threads that differ in nothing
// that the kernel reads (the rows of a block, for code that reads threadIdx.x alone) do the same at
// the same places, but each at its own time: between these a barrier is removed only if a value
// that is written once is read after it. Barriers are removed one after the other, each in the
// kernel that the previous removals have left. If only plain loads before the barrier conflict, and
// they stand in its own block, they move to the front of the previous barrier, together with the
// computation of their addresses, if that makes no difference: nothing that they pass writes the
// memory in this thread, nor does another thread in the phase that they move into.
//
// These barriers are kept: one with atomic or volatile accesses, fences, calls, warp operations or
// clocks in the phase before or after it, because it may order them for other blocks or be where
// warps reconverge; all barriers of a kernel in which a thread waits for another (Waiting.h);
// reducing barriers, and those that do not name all three loops.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Removes barriers of `kernel` where that is legal. Returns their number.
unsigned removeBarriers(grain::KernelOp kernel);

} // namespace regrain
