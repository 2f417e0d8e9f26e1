//===- TransposeAccesses.h - Accesses in the order of addresses -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neighbours in x store far apart and neighbours in y store neighbouring elements, threads
// store for each other, and hand each other the values in shared memory:
//
//   if (g(x, y)) out[x * n + y] = v
//     =>  if (g(x, y)) tile[y][x] = v
//         barrier
//         if (g(y, x)) out[y * n + x] = tile[x][y]
//
// Loads are the same in the other direction: threads load for each other at the start of the block.
// Each row of the tile is followed by unused bytes, so that the lanes of a warp use all banks in
// either direction.
//
// Legality. The threads of a block run in any order between barriers. All of a block may have run
// up to their stores before one of them stores, or may all have loaded first, and who runs a store
// makes no difference.
// - Nothing orders the threads of the kernel: no barriers, atomic or volatile accesses, fences,
//   warp operations, or calls with effects.
// - A store that is made by another thread is behind all other accesses of its thread, but for such
//   stores, which keep their order. A load is in front of all that its thread writes.
// - It stands under conditions alone. These and its address follow from the thread's coordinates
//   and from what is known before the threads, so they can be computed for another thread. What is
//   computed behind a condition in the program stays behind it, so nothing faults that does not in
//   the program.
// - No thread ends but by its return, so all meet at the barrier.
// - The number of threads is known, and the tiles and the kernel's own arrays fit into the shared
//   memory that every kernel may declare.
//
// Which accesses are worth it follows from their addresses; if what is known of these is wrong, the
// result is right all the same.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include <optional>

namespace regrain {

/// Lets the threads of a block make accesses of `kernel` for each other, so that neighbours access
/// neighbouring elements. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> transposeAccesses(grain::KernelOp kernel);

} // namespace regrain
