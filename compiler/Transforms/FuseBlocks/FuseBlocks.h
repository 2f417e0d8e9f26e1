//===- FuseBlocks.h - Neighbouring blocks side by side ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   grain.blocks (%b) { %s = shared T; grain.threads (%t) { f(%b, %t, %s) } }
//     =>  grain.blocks (%B) factors [F] {
//           %S = shared F x T
//           grain.threads (%p) fused [F] {
//             k = %p / block_size
//             if (%B + k < grid) { f(%B + k, %p % block_size, %S[k]) }
//           } }
//
// F blocks become one with F times the threads: what kernels with small blocks
// need to fill a multiprocessor. Each old block keeps its own shared memory.
//
// Legality. A barrier of one old block becomes a barrier of all that are fused,
// and all threads must meet it equally often. So nothing around a barrier may
// depend on the block, on the thread, or on memory that may differ between the
// blocks; guards, the one that is added at the edge included, are split first
// (SplitGuards.h), so that threads which have left take part. Refused: what
// cannot be split; a reducing barrier, which would combine the predicates of
// several blocks; a loop that waits for another thread or block; operations that
// synchronise in ways that are not understood; dynamic shared memory that copies
// would not be aligned for. Operations of a warp are legal where each launched warp
// stands for one whole warp of the program; that is asked of the launch by
// `whole_warps`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

/// Fuses factors[0] * factors[1] * factors[2] neighbouring blocks of `blocks`,
/// which has not been re-grained yet. On success `blocks` is the new nest; else
/// nothing has changed.
llvm::LogicalResult fuseBlocks(grain::BlocksOp &blocks, const Factors &factors, Refusal &refusal);

} // namespace regrain
