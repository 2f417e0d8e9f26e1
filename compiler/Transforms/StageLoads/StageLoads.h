//===- StageLoads.h - Footprints in shared memory ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (g(i)) x = a[i - 1] + a[i] + a[i + 1]
//     =>  for (e = tid; e < B + 2; e += B)
//           if (some thread of the block loads element e) tile[e] = a[first + e]
//         barrier
//         if (g(i)) x = tile[tid] + tile[tid + 1] + tile[tid + 2]
//
// Loads that differ by whole strides of the thread's coordinates, and by elements, read from one
// tile: an array of up to three dimensions with constant extents (Tiles.h). All threads of the
// block fill it at their start, where control is the same for all, and meet at a barrier.
//
// Legality.
// - A staged load is marked invariant: nobody writes what it reads while the kernel runs
//   (HintLoads.h), so it may be read earlier, and once for all threads. It is neither volatile,
//   atomic nor nontemporal.
// - Its address is a polynomial of coordinates and of values that are the same for all threads of a
//   block (Addresses.h). So two threads that load one element of the tile load the same address,
//   and so does the copy.
// - It stands under conditions alone, which can be computed for any thread at the start
//   (Conditions.h). An element is copied if and only if a thread of the block loads it: its
//   conditions are computed with the coordinates of that thread. So the copy reads nothing that the
//   program does not read, and a load finds its element. A condition is computed only where those
//   around it hold, as the program does.
// - If pointers and rows are aligned, elements lie in the tile as they do in memory within 16
//   bytes, and are copied together where threads load all of them.
// - If all conditions are comparisons that are linear in the coordinates, those that hold for the
//   corners of the block hold for all of it. Then only the shape of the footprint is tested.
// - Nothing in the kernel may end the thread but its return: functions that are not inlined,
//   assembly and traps are refused, since a load behind them might never run.
// - The number of threads is known, and the tiles and the kernel's own arrays fit into the shared
//   memory that every kernel may declare.
//
// Loads are staged if the loads of all threads are half as many again as the elements of the tile.
// The transform is refused if there are none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include <optional>

namespace regrain {

/// Stages the loads of `kernel` that threads of a block share: `inBulk` those alone of which whole
/// rows can be copied at once. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> stageLoads(grain::KernelOp kernel, bool inBulk);

} // namespace regrain
