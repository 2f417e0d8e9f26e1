//===- DealIterations.h - Which thread takes which element ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (j = 0; j < n; ++j) f(x * n + j)    <=>    for (j = 0; j < n; ++j) f(j * size + x)
//
// where x is threadIdx.x and `size` is blockDim.x. On the left, a thread takes neighbouring
// elements (blocked); on the right, neighbouring threads do (cyclic). Either way the threads that
// differ only in x take the elements 0 to n * size - 1, each once. A loop from b = x * n to min(b +
// n, end), whose counter is the element, becomes one over j with the guard j * size + x < end.
// There, n is a constant, since every thread runs n iterations, however near the end is.
//
// Legality.
// - The body is a function of the element's number: x and the counter are used only in sums with
//   x * n + j, or x itself as the counter of the blocked loop. Such sums hold modulo 2^bits, as
//   what is put in their place does, so it does not matter whether they wrap. All other values of
//   the body, n, and the conditions around the loop are the same for the threads that differ only
//   in x. No loop is around this one.
// - The loop carries no value from iteration to iteration, and the iterations of one thread touch
//   no common memory if one of them writes it. Iterations of different threads then do not either:
//   nothing orders them, so that would be a race. Memory of a thread (local arrays) is not touched.
// - Between the loop and the barriers around it, the thread touches none of its memory otherwise,
//   if one of the two writes, and does nothing that other threads may see or wait for.
// - The body contains no barrier, atomic, volatile or warp operation and no call that may interact
//   with other threads, and the kernel neither waits nor synchronises in an unknown way.
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

enum class Dealing { Cyclic, Blocked };

/// Distributes the elements of all suitable loops of `kernel`. If there is none, this is refused,
/// and nothing has changed.
[[nodiscard]] std::optional<Refusal> dealIterations(grain::KernelOp kernel, Dealing dealing);

/// Returns whether dealIterations would change the kernel.
[[nodiscard]] bool canDealIterations(grain::KernelOp kernel, Dealing dealing);

} // namespace regrain
