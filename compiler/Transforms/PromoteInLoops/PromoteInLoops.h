//===- PromoteInLoops.h - Memory in registers while a loop runs -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for %j { %v = load %p; %w = f(%v, %j); store %w, %p }
//     =>  %v0 = load %p; %v1 = for %j iter(%v = %v0) { yield f(%v, %j) }; store %v1, %p
//
// Loads alone are promoted likewise, from global and from shared memory, and out of scf.while too.
// Before that, invariant code without effects moves in front of the loop.
//
// LLVM does this where it can prove that nothing else in the loop touches the memory. It cannot
// tell apart `s[tx][i]` and `s[tx][j]` with j < i, nor what two kernel parameters point to, and it
// stops at barriers. Access.h can tell them apart.
//
// Legality. The loop contains no volatile or atomic access, no warp operation, and nothing whose
// effect is not known. What another thread does to the memory meanwhile is a data race, which is
// undefined, unless a barrier orders it. In a loop with barriers no other thread may touch the
// memory if one of the two writes; if an access moves over a barrier, this also holds for the
// barrier phases around the loop (Intervals.h). The address is the same in all iterations. Each
// access to it stands in the loop's own block (the first one of scf.while), so that it runs
// whenever an iteration does. Nothing else in the loop may alias it if one of the two writes. The
// accesses before and behind the loop run only if the loop runs an iteration: they are under a
// condition, unless the bounds are constant. So nothing is loaded or stored that was not before.
// Code without effects moves only if it may run where the loop does not (Speculation.h).
//
// Stores in scf.while and accesses under a condition in the loop keep their form. Nothing moves out
// of the thread nest: each thread runs what stands beside it anyway (compiler/Export/Lower.h), and
// what joined copies have in common is kept once where they are joined (UnrollAndInterleave.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Promotes memory in all `scf.for` and `scf.while` of `kernel`, inner loops first. Returns the
/// number of promoted addresses.
unsigned promoteInLoops(grain::KernelOp kernel);

} // namespace regrain
