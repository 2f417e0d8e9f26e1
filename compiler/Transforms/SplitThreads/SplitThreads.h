//===- SplitThreads.h - Lanes that share a thread ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of the program is run by several lanes of a warp, or by a block of several warps. Loops
// whose iterations are independent are dealt among the lanes; everything else is run by all of them
// on the same values, and stores by the first one alone:
//
//   for (j = 0; j < n; ++j) { s += a[j]; }     =>  t = lane == 0 ? s : 0
//   out[i] = s                                     for (j = lane; j < n; j += 32) { t += a[j]; }
//                                                  s = sum of t in all lanes
//                                                  sync; if (lane == 0) { out[i] = s }; sync
//
// Where a program's warp works on one row together, several launched warps may share it. Lanes are
// then apart, one in each of these warps, and the program's shuffles are made in all of them:
//
//   for (j = lane; j < n; j += 32)             for (j = lane + 32 * w; j < n; j += 32 * 8)
//     s = max(s, a[j]);                  =>      s = max(s, a[j]);
//   s = warp_max(s);                           s = the largest s of this lane in all 8 warps
//                                              s = warp_max(s);
//
// A lane may take several neighbouring iterations at a time, so that its accesses can be joined to
// wider ones. It may keep elements of its first iterations for later loops (KeptElements.h).
//
// Legality.
// - No thread of the program interacts with another, and none has memory of its own. If several
//   warps share one, its lanes may shuffle, vote and meet: all launched warps have these lanes and
//   the same values in them, so these operations have the same results in each.
// - In a dealt loop, lanes do not interact, and no iteration accesses what another one writes. What
//   it carries from iteration to iteration is put together from the lanes' parts exactly
//   (CarriedValues.h).
// - Lanes compute the same values outside of dealt loops, so they take the same branches, and what
//   one writes there is what each would write.
// - Lanes meet before and behind what is written, so that each sees what the program's thread
//   would see. All lanes of several warps take the same branches, so barriers are met by all of
//   them, too. Lanes of a program's warp may not; code that only some of them run has no dealt
//   loops and no meetings, and the first launched warp alone runs it if it stores. `noalias` is
//   removed from parameters through which the kernel writes, because it would let LLVM carry loads
//   past these meetings.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"

namespace regrain {

struct ThreadSplitting {
  uint32_t lanes;        ///< that share a thread: of a warp, or all of a block with several warps
  bool areWarps = false; ///< each of these lanes is in another warp of the block
  uint32_t width;        ///< neighbouring iterations that a lane takes at a time: a power of two
  Factors shape;         ///< of launched blocks; x is a multiple of a warp
  bool mayReorder;       ///< sums of floating-point numbers may be formed in another order
  unsigned elements = 0; ///< that a lane keeps of each row which later loops read again
};

/// Splits the threads of a nest that has not been re-grained yet. On success `blocks` is the new
/// nest; otherwise nothing has changed.
[[nodiscard]] std::optional<Refusal> splitThreads(grain::BlocksOp &blocks,
                                                  const ThreadSplitting &splitting);

/// The loops of a kernel that so many lanes can share.
struct SharedLoops {
  unsigned count = 0;       ///< 0 if none of them is over elements that are neighbours
  bool addsInOrder = false; ///< all lanes add what each has
  bool rereads = false;     ///< a loop reads what an earlier one has read or written
  /// The bytes of the smallest elements that a lane could access together; 0 if there are none.
  uint32_t leastBytes = 0;
  llvm::SmallVector<mlir::Value> addresses = {}; ///< of all such elements
  llvm::SmallVector<mlir::Value> ends = {};      ///< of the loops that access them
};

[[nodiscard]] SharedLoops findSharedLoops(grain::KernelOp kernel, uint32_t lanes, bool mayReorder);

/// The same for warps, so many of which share one. The kernel is changed.
[[nodiscard]] SharedLoops findLoopsOfWarps(grain::KernelOp kernel, uint32_t warps, bool mayReorder);

} // namespace regrain
