//===- CoarsenBlocks.h - Fewer blocks with more work each -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   grain.blocks (%b) { %s = shared; grain.threads { f(%b, %s) } }
//     =>  grain.blocks (%b) factors [F] {
//           %s0 = shared; %s1 = shared; ...
//           grain.threads {
//             if (%b + F - 1 < grid) { f(%b, %s0) and f(%b + 1, %s1) and ... interleaved }
//             else { for %k in 0..F { if (%b + %k < grid) { f(%b + %k, %s0) }; barrier } }
//           } }
//
// Any factor is legal: the last blocks of a grid that the factor does not divide take the second
// branch, which runs those of their blocks that exist, one after the other, on the shared memory of
// the first. The branch is the same for the whole block, so that barriers inside are legal. It
// contains the code only once, so that it stays small.
//
// Shared memory that all joined blocks fill alike is allocated once (FilledAlike.h). So are, with
// `SharedCopies::Common`, arrays in which blocks accumulate (Accumulators.h). What clears and
// flushes them stands around the branch then, where it can be told from the rest (Phases.h).
//
// With `Interleaved::WholeBlocks`, blocks are interleaved only if all of their threads pass the
// guards around the thread's body (WholeGuards.h), which are gone then. Others run one by one. So
// barriers can be put into the body later, and the code of a guard is there once for each form.
//
// If no launch has such an edge, there is neither branch nor loop: `Edge::Apart` leaves blocks that
// do not fill a launched one to a launch of their own, and the factor may divide a known grid.
//
// With `Order::InLoop` there is only the loop of the second branch, for all blocks. It is marked
// with `stepsAttribute`, because its iterations are different blocks of the program. It carries no
// shared memory from one to the next but common arrays, which are cleared before it.
//
// Legality. Blocks run in any order and do not synchronise with each other. The transform refuses:
// - a loop that waits for another thread or block;
// - a barrier under control that differs between threads, if the guard cannot be split
//   (SplitGuards.h): in the loop, threads that leave early would go on to the next block's barrier;
// - operations that may synchronise in ways that are not understood;
// - effects outside of the thread nest;
// - dynamic shared memory whose copies would not be aligned;
// - with `SharedCopies::Common`, kernels without an array in which blocks accumulate, and in a loop
//   those in which clearing and flushing cannot be told from the rest.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

/// Says which launch runs the blocks that do not fill a launched block.
enum class Edge { Inside, Apart };

/// Says how a launched block runs its blocks: interleaved, interleaved if all of their threads pass
/// the guards, or one after the other, neighbours in x first.
enum class Order { Together, WholeTogether, InLoop };

/// Says whether joined blocks accumulate in common arrays, which refuses a kernel without such
/// arrays, and whether that includes sums of floating-point numbers.
enum class SharedCopies { Own, Common, CommonSums };

/// A unit attribute of an `scf.for`: each iteration is a block of the program, if it exists.
constexpr llvm::StringLiteral stepsAttribute = "grain.steps";

/// Gives each block of `blocks` the work of factors[0] * factors[1] * factors[2] neighbouring
/// blocks. On success `blocks` is the new nest; otherwise nothing has changed.
[[nodiscard]] std::optional<Refusal> coarsenBlocks(grain::BlocksOp &blocks, const Factors &factors,
                                                   Edge edge, Order order = Order::Together,
                                                   SharedCopies copies = SharedCopies::Own);

} // namespace regrain
