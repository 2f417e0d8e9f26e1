//===- PromoteInLoops.h - Memory in registers while a loop runs -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for %j { %v = load %p; %w = f(%v, %j); store %w, %p }
//     =>  %v0 = load %p; %v1 = for %j iter(%v = %v0) { yield f(%v, %j) }; store %v1, %p
//
// and loads alone likewise, from global and from shared memory, out of scf.while
// too. Code without effect that is the same in all iterations goes in front of
// the loop first.
//
// LLVM does this where it can prove that nothing else in the loop touches the
// memory; `s[tx][i]` and `s[tx][j]` with j < i it cannot tell apart, nor what
// two kernel parameters point to, and it stops at barriers. Access.h can tell.
//
// Legality. The loop holds no volatile or atomic access, no operation of a warp,
// and nothing whose effect is not known: what another thread does to the memory
// meanwhile is a data race, which is undefined, unless a barrier orders it. In a
// loop with barriers no other thread may touch the memory, one of the two
// writing; where an access moves over a barrier, neither in the intervals around
// the loop (Intervals.h). The address is the same in all iterations;
// each access to it stands in the loop's own block (of scf.while: the first), so
// that it runs whenever an iteration does; nothing else in the loop may alias it
// where one of the two writes. The accesses in front of and behind the loop run
// only where the loop runs an iteration: behind a condition, unless the bounds
// are constant. So nothing is loaded that was not, and nothing stored. Code
// without effect moves only if it may run where the loop does not
// (Speculation.h).
//
// Kept as they are: stores in scf.while, and accesses under a condition in the
// loop. Out of the nest of the threads nothing is moved: what stands beside it is
// run by each thread all the same (Lower.h), and what joined copies have in
// common is kept once where they are joined (UnrollAndInterleave.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Promotes what can be in all `scf.for` and `scf.while` of `kernel`, inner ones
/// first.
/// Returns the number of addresses promoted.
unsigned promoteInLoops(grain::KernelOp kernel);

} // namespace regrain
