//===- ExchangeInWarp.h - Shared arrays in registers of a warp --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   s[tx] = a; barrier; b = s[tx + 16]; barrier; if (tx < 16) s[tx] = f(b); barrier; c = s[0]
//     =>  r = a; b = shuffle(r, tx + 16); if (tx < 16) r = f(b); c = shuffle(r, 0)
//
// If threads exchange elements of shared arrays only within warps, as they do if a launched block
// is one warp, these elements become registers of the lanes: an element lives in the lane that
// writes it. A lane that reads its own element reads the register. One that reads another lane's
// gets it by a shuffle. Barriers that order nothing else go; if the block is one warp, the others
// wait for it alone. The same values meet in the same order, so results are the same bit for bit.
// If a launched block is one thread, all elements are its own.
//
// Loops of known length are unrolled where the elements that an access touches differ between
// iterations.
//
// Legality.
// - The launched block is known to have whole warps, up to mostWarps, or one thread.
// - All uses of the arrays are plain loads and stores. For each, the element that each lane touches
//   is known (LaneValues.h). Elements have one size and do not overlap, and only one lane writes
//   each of them. Only lanes of its warp read it. The elements of an access live in the same
//   registers and lanes of each warp. Lanes that a known condition excludes do not count, nor do
//   elements outside of an array.
// - A shuffle takes all lanes. It stands where the load does, or in front of the outermost
//   operation around it in which lanes may diverge. No barrier lies in between: a barrier is not
//   accepted inside such an operation, nor are warp operations. So the shuffle is in the same
//   barrier phase as the load, and another thread cannot write the element in that phase, because
//   it would race with the load. A lane that itself wrote the element in between reads its
//   register.
// - Nothing but barriers orders accesses of different threads: the kernel has no volatile access
//   and no atomic operation whose result is used.
// - An element that is read before it is written is indeterminate in CUDA. Here it is what the
//   register holds, 0 at first, so that it stays one value.
//
// Of Exchanges::All, the transform is refused if one shared array of the kernel cannot live in
// registers, because its barriers would remain.
//
// Of Exchanges::Levels, loads for which that is not possible stay in shared memory, and so do the
// stores of the elements that they read, in their places. A tree over several warps keeps its upper
// levels there, and the barriers between them. RemoveBarriers decides which barriers are needed by
// what is left in memory. The transform is refused if no lane then gets anything by a shuffle.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <optional>

namespace regrain {

enum class Exchanges {
  All,    ///< no array stays in shared memory
  Levels, ///< only what warps exchange with each other stays there
};

/// Keeps what threads of `kernel` exchange through shared arrays in registers; `patterns` are those
/// of cleanUp. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> exchangeInWarp(grain::KernelOp kernel, Exchanges exchanges,
                                                    const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
