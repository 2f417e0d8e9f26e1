//===- ForwardMemory.h - Values that memory is known to hold ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   s[tx] = a; barrier; b = s[tx]; barrier; s[tx] = c
//     =>  s[tx] = a; barrier; b = a; barrier; s[tx] = c
//
// A load of what the thread has stored or loaded before is replaced by that value, also over
// barriers and into conditions and loops. A store is dropped if nobody can see it before the same
// thread stores to the same place again, or before the end of the block if it writes shared memory.
// LLVM does neither across a barrier, nor where it cannot tell addresses apart (Access.h). Joined
// threads and blocks thereby read an element of a stencil once that several of them need
// (SameAddress.h); a row that is read again stays in registers if the number of iterations is
// known.
//
// Legality. The two access the same bytes as the same type. Nothing that this thread does in
// between writes there (for a dropped store: reads there). Another thread of the block can write
// (read) there in between only in another barrier phase, or the two race (Intervals.h). So each
// barrier takes into account what other threads may write in the phase before it (may read in the
// phase after it), and each region with barriers everything in it. Atomic and volatile accesses,
// fences, calls and warp operations may make another thread's writes visible, so nothing is known
// behind them. Behind what stays in the block
// (shuffles, votes, shared memory), what no other thread of the block writes in the whole kernel
// stays known, if nothing in the kernel may show what other blocks have written. A value is known
// inside a loop only if no iteration writes there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace regrain {

/// The loads that were removed.
struct ForwardedLoads {
  unsigned count = 0;
  llvm::SetVector<mlir::Value> values; ///< each once, in their place
};

/// Removes those loads of `kernel` for which `isWanted` holds where that is legal. At most
/// `mostKnown` values are known at a point; the oldest are forgotten first.
ForwardedLoads forwardLoads(grain::KernelOp kernel, size_t mostKnown,
                            llvm::function_ref<bool(mlir::LLVM::LoadOp)> isWanted);

/// Removes loads and stores of `kernel` where that is legal. Returns their number.
unsigned forwardMemory(grain::KernelOp kernel);

} // namespace regrain
