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
// F blocks become one with F times the threads, so that kernels with small blocks fill a
// multiprocessor. Each old block keeps its own shared memory.
//
// Legality. A barrier of one old block becomes a barrier of all fused blocks, and all threads must
// reach it equally often. So no control around a barrier may depend on the block, on the thread, or
// on memory that may differ between the blocks. Guards, including the one that is added at the
// edge, are split first (SplitGuards.h), so that threads that have left take part. The transform
// refuses:
// - a guard that cannot be split;
// - a reducing barrier, which would combine the predicates of several blocks;
// - a loop that waits for another thread or block;
// - operations that may synchronise in ways that are not understood;
// - dynamic shared memory whose copies would not be aligned.
//
// Warp operations are legal if each launched warp stands for one whole warp of the program;
// `whole_warps` requires that of the launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

/// Fuses factors[0] * factors[1] * factors[2] neighbouring blocks of `blocks`, which has not been
/// re-grained yet. On success `blocks` is the new nest; otherwise nothing has changed.
[[nodiscard]] std::optional<Refusal> fuseBlocks(grain::BlocksOp &blocks, const Factors &factors);

} // namespace regrain
