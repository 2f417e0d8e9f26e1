//===- DealStrides.h - Neighbours for each thread of a block ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = a + x; i < n; i += s) f(i)
//     =>  for (i = a + w * (x % g) + x / g * s; i < n - (w - 1); i += w * s)
//           { f(i); f(i + 1); ... f(i + w - 1) }
//         for (j = i; j < min(i + w, n); ++j) f(j)
//
// where x is threadIdx.x, and g the width of the block over w. A round of the block is s apart from
// the next one. On the left, a thread takes one element of each round; on the right, w neighbours
// of every w-th round, whose accesses become wider. The block's elements remain the block's.
//
// Legality.
// - The new loop runs f for the same numbers, each as often: x and the number of the round are
//   divided otherwise, which is one to one if the block's width is a multiple of w.
// - This is so as long as no number wraps. The kernel asks that itself, and runs the loop as the
//   program has it for other launches: in 64 bits, s is positive, a + width and n + s are numbers
//   of the counter's type. Then elements advance by s from a + x, and the loop ends at n.
// - f is a function of the counter: all other values of the body, a, n, s, and the conditions
// around
//   the loop are the same for the threads that differ only in x. No loop is around this one, and it
//   carries nothing but its counter, which is not used behind it.
// - The iterations of one thread touch no common memory if one of them writes it, so that those of
//   different threads do not either (DealIterations.h): they would race. An exception are atomic
//   operations whose results nobody uses, of one kind that is commutative and associative: sums of
//   integers, bits and extremes, and sums of floating-point numbers if they may be reassociated. A
//   loop with such operations stores nothing else, which they could announce.
// - What DealIterations.h says of the memory around the loop, of the thread's own, and of barriers,
//   warp operations and calls holds here, too.
//
// Loops are left alone in which no access to neighbouring elements of global memory would become
// wider, and those with atomic operations on neighbouring elements, of which a warp changes a line
// together.
//
// It comes before threads and blocks are regrouped. Where threads are ordered, `noalias` no longer
// holds for one thread (forgetRestrict).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include <optional>

namespace regrain {

/// Lets each thread take `width` neighbouring elements at a time, in all suitable loops of
/// `kernel`; a power of two from 2 to 16. Sums of floating-point numbers may be reassociated if
/// `reassociate`. If there is no such loop, this is refused, and nothing has changed.
[[nodiscard]] std::optional<Refusal> dealStrides(grain::KernelOp kernel, uint32_t width,
                                                 bool reassociate);

} // namespace regrain
