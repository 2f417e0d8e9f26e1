//===- Accumulators.h - Shared arrays in which blocks accumulate -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block that counts in shared memory clears an array, adds to its elements by atomic operations,
// and flushes it: it adds the elements to global memory by the same atomic operation.
//
//   s[t] = 0; barrier; atomicAdd(&s[f(b)], g(b)); barrier; atomicAdd(&out[t], s[t])
//
// Joined blocks run in step (UnrollAndInterleave.h). So one array can serve all of them: it is
// cleared once, each block adds to it, and it is flushed once.
//
// Legality. At each operation that is kept once, an element of the common array is the combination
// of what the element is in the arrays of the blocks, because
// - it is cleared at the same places, to the neutral element of the combination, or to any value
//   that is the same for all of the blocks if combining a value with itself changes nothing. A
//   store to a part of an element would keep bits to which the other part has carried, except in
//   combinations of bits;
// - otherwise only atomic operations change it whose results nobody uses. They form one commutative
//   and associative combination: integer sums, and, or, exclusive or, and extremes of one type.
//   Sums of floating-point numbers are one if they may be reassociated.
// One flush of the combination then does what the flushes of the blocks did, one directly behind
// the other, if they have the same element, address and control, and nobody uses their results.
// Blocks have no order, so the program allows that they run so, whatever else reads the memory that
// is flushed to: other threads can see what they could see before, and may miss values between
// these flushes. A flush under the condition that the element is not neutral is left out only where
// it changes nothing.
//
// What is read from such an array has no other use, since it differs from what one block has
// counted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"
#include "compiler/Refusal/Refusal.h"
#include <optional>

namespace regrain {

struct Accumulators {
  llvm::DenseSet<mlir::Operation *> arrays;  ///< allocations that serve all joined blocks
  llvm::DenseSet<mlir::Operation *> updates; ///< atomic operations on the arrays
  llvm::DenseSet<mlir::Operation *> flushes; ///< atomic operations that run once for all blocks
  llvm::DenseSet<mlir::Operation *> outside; ///< fills, reads, flushes; stores that fill alike
};

/// Finds the arrays of `blocks` in which blocks that differ in `varying` accumulate. Allocations in
/// `filledAlike` are the same memory in all of them. Refuses if there is none, and dynamic shared
/// memory that is not one of them. Sums of floating-point numbers count if `reassociate`.
[[nodiscard]] std::optional<Refusal>
findAccumulators(grain::BlocksOp blocks, Dependence varying,
                 const llvm::DenseSet<mlir::Operation *> &filledAlike, bool reassociate,
                 Accumulators &found);

} // namespace regrain
