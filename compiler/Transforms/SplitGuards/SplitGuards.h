//===- SplitGuards.h - Barriers out of guards -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In structured form, `if (tid >= n) return;` before a barrier becomes a barrier under a condition
// that differs between threads:
//
//   if (c) { A; barrier; B }   =>   if (c) { A }  barrier;  if (c) { B }
//
// The same is done in loops and conditions inside that are the same for all threads. Each result of
// the guard is selected from what its parts yield. Barriers in both branches are paired
// (PairBarriers.h).
//
// Legality. In valid CUDA, threads outside the guard have left the kernel: a barrier waits for all
// threads that have not. Letting them take part changes nothing for the others. What stands between
// barriers keeps its guard.
// - Threads outside the guard must also be able to compute the end of a loop around barriers. So it
//   may depend only on operations that have no effects and may be speculated.
// - They need not compute a condition around barriers. If they cannot, the condition counts as
//   false for them and is split later itself; if both of its branches contain barriers, these must
//   be pairable.
// - If a loop is not known to terminate for threads outside, it is entered only if some thread of
//   the block is inside.
// - Values that threads outside do not compute are poison there and used only under the guard. The
//   predicate of a reducing barrier becomes neutral there.
//
// A guard is kept if it contains a barrier in a loop whose end differs between threads or cannot be
// computed outside, or in unstructured control flow; if both of its branches contain barriers, one
// of them under control of its own; and if the guard itself stands under control that differs
// between threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"

namespace regrain {

/// Splits every guard in `threads` whose condition differs between threads and depends on something
/// in `wanted`, if that is legal. Returns the number of guards that were split.
unsigned splitGuards(grain::ThreadsOp threads, Dependence wanted = Dependence::Threads);

} // namespace regrain
