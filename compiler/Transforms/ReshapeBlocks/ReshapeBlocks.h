//===- ReshapeBlocks.h - Other block shapes for a launch --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   grain.blocks (%b) { grain.threads (%t) { f(%b, %t) } }
//     =>  grain.blocks (%B) { grain.threads (%p) shape [S] {
//           i = %B * S + %p
//           if (i < grid * block_size) { f(i / block_size, i % block_size) }
//         } }
//
// Legality. It must make no difference which threads share a block. The transform refuses barriers,
// shared memory, warp operations, loops that wait for another thread, and operations that may
// synchronise in ways that are not understood. Warp operations are no reason if the program's warps
// stay whole, for which `whole_warps` requires launches with a multiple of 32 threads in x.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

/// How launched threads share threads of the program.
struct Splitting {
  uint32_t lanes = 1; ///< that share one thread; they divide the shape's x
  mlir::Value x;      ///< in the old nest, what stands for the new coordinate in x; may be null
  /// In the old nest, what stands for the threadIdx.x of the first thread in a thread's warp. Lanes
  /// are then not neighbours: each launched warp has the lanes of one of the program's warps.
  mlir::Value warp;
  std::array<bool, 3> sliced = {}; ///< dimensions in which the program's blocks have one thread
};

/// Refuses a nest in which it makes a difference which threads share a block, or which warps do if
/// these stay `whole`.
[[nodiscard]] std::optional<Refusal> checkDivisible(grain::BlocksOp blocks, bool whole = false);

/// Builds the nest of blocks of `shape` threads in place of `old`, which can be divided.
grain::BlocksOp divideIntoBlocks(grain::BlocksOp old, const Factors &shape,
                                 const Splitting &splitting);

/// Divides the threads of the launch into blocks of `shape` threads. In dimensions that are
/// `sliced`, each launch has one thread in a block of the program. `blocks` has not been re-grained
/// yet. On success it is the new nest; otherwise nothing has changed.
[[nodiscard]] std::optional<Refusal> reshapeBlocks(grain::BlocksOp &blocks, const Factors &shape,
                                                   const std::array<bool, 3> &sliced);

} // namespace regrain
