//===- StageLoops.h - Tiles of loops in shared memory -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (g(i))                                     if (g holds for all threads of the block) {
//     for (k = 0; k < n; ++k)                       copy iterations 0 to T - 1 to tile[0]
//       s += a[k] * b[k * w + i]       =>           for (t = 0; t < n / T; ++t) {
//                                                     barrier
//                                                     copy those of t + 1, if any, to tile[(t + 1)
//                                                     % 2] for (j = 0; j < T; ++j)
//                                                       s += tile[t % 2].a[j] * tile[t % 2].b[j][i]
//                                                   }
//                                                   for (k = n / T * T; k < n; ++k) as before
//                                                 } else as before
//
// A tile is an array of what the threads of a block load in T iterations (Tiles.h). All threads
// copy the next tile while they use this one. Each thread runs its iterations in their order.
//
// Legality.
// - A staged load is marked invariant: nobody writes what it reads while the kernel runs
//   (HintLoads.h). It is neither volatile, atomic nor nontemporal.
// - It stands in the body of an `scf.for` under no condition, and its address is a polynomial of
//   the counter, of coordinates and of values that are the same for all threads (Addresses.h). So
//   each element of a tile is loaded by some thread in the iterations of the tile, and the copy
//   reads nothing that the program does not read. A tile has whole iterations that run.
// - The ends of the loop are the same for all threads of a block, and its step is constant. So all
//   threads have the same number of tiles, and meet at each barrier.
// - Around the loop are conditions alone. If threads differ in them, they are conjunctions of
//   comparisons that are linear in the coordinates: those that hold for the corners of the block
//   hold for all of it (Conditions.h), and the barriers are in a version for blocks in which all
//   threads run the loop.
// - A tile is filled behind the barrier at which all threads have read what was there, and read
//   behind the next.
// - No thread waits for another one but at barriers, and the loop's body has no barrier, no loop
//   whose end is not known when it begins, and no atomic or volatile access. Nothing in the kernel
//   may end the thread but its return.
// - The number of threads is known, and the tiles and the kernel's own arrays fit into the shared
//   memory that every kernel may declare.
//
// Loads are staged if the loads of all threads are half as many again as the elements of the tile.
// Of the loops in one condition, that with most staged loads gets tiles. The transform is refused
// if there is none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include <optional>

namespace regrain {

/// Stages loads in the loops of `kernel`: `inBulk`, whole rows are copied at once where that is
/// possible, which must be so for one tile of each loop. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> stageLoops(grain::KernelOp kernel, bool inBulk);

} // namespace regrain
