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
// Coarsening leaves barriers between what one thread does now, and code asks for
// more than it needs.
//
// Legality. A barrier is removed where no access that may run in front of it, up
// to the barrier before, can touch what an access of another thread of the block
// touches that may run behind it, up to the next, one of them writing
// (Intervals.h). Accesses further apart are ordered by another barrier. Where no
// proof is found that only one and the same thread touches it, they conflict.
// Threads that differ in nothing that the kernel reads (the rows of a block, for
// code that reads threadIdx.x alone) do the same at the same places, but each at
// its own time: between these a barrier is removed only where a value that is
// written once is read behind it.
// Barriers are removed one after the other, each seen as those before have left
// the kernel.
// Where only plain loads in front of the barrier conflict, in its own block, and
// these may as well run in front of the barrier before, they move there, with
// what their addresses are made from: what they pass neither writes to them in
// this thread, nor does another thread in the interval that they come into.
//
// Kept: a barrier with atomic or volatile accesses, fences, calls, warp
// operations or clocks on either side up to the next barrier, for it may order
// them for other blocks or be where warps come together; all barriers of a kernel
// in which a thread waits for another (Progress.h); barriers that reduce, and
// those that do not name all three loops.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Removes what it can of the barriers of `kernel`. Returns their number.
unsigned removeBarriers(grain::KernelOp kernel);

} // namespace regrain
