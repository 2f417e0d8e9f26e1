//===- SplitGuards.h - Barriers out of guards -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (tid >= n) return;` before a barrier becomes, in structured form, a
// barrier under a condition that differs between threads:
//
//   if (c) { A; barrier; B }   =>   if (c) { A }  barrier;  if (c) { B }
//
// through loops and conditions inside that are the same for all threads. What the
// guard yields is selected from what its parts yield. Barriers in both branches are
// paired (PairBarriers.h).
//
// Legality. Threads outside the guard have left, or the program is not valid
// CUDA: a barrier waits for all threads that have not. Letting them take part
// changes nothing for the others. What stands between barriers keeps its guard.
// The end of a loop around barriers must then be computed by threads outside the
// guard too, so it may depend only on operations that are free of effects and may be
// speculated. A condition around barriers need not: where threads outside cannot
// compute it, it does not hold for them, and is split in its turn; so it has to be one that
// can be, where both branches hold barriers. A loop of which it is not plain
// that it ends for threads outside is entered only if some thread of the block is inside. Values
// that threads outside do not compute are poison there, and used only under the guard; a predicate
// of a reducing barrier becomes neutral there.
//
// Kept as they are: a guard around a loop whose end differs between threads or cannot
// be computed outside, around control flow that is not structured, with barriers in
// both branches of which one stands under control of its own, and a guard that
// itself stands under control that differs between threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Uniformity.h"

namespace regrain {

/// Splits every guard in `threads` whose condition differs between threads and
/// depends on something in `wanted`, where legal. Returns how many.
unsigned splitGuards(grain::ThreadsOp threads, Dependence wanted = Dependence::Threads);

} // namespace regrain
