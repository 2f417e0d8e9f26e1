//===- PromoteInLoops.h - Memory in registers while a loop runs -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for %j { %v = load %p; %w = f(%v, %j); store %w, %p }
//     =>  %v0 = load %p; %v1 = for %j iter(%v = %v0) { yield f(%v, %j) }; store %v1, %p
//
// and loads alone likewise, from global and from shared memory.
//
// LLVM does this where it can prove that nothing else in the loop touches the
// memory; `s[tx][i]` and `s[tx][j]` with j < i it cannot tell apart, nor what
// two kernel parameters point to. Access.h can.
//
// Legality. The loop holds no barrier, no volatile or atomic access, and nothing
// whose effect is not known: what another thread does to the memory meanwhile is
// a data race, which is undefined. The address is the same in all iterations;
// each access to it stands in the loop's own block, so that it runs whenever an
// iteration does; nothing else in the loop may alias it where one of the two
// writes. The accesses in front of and behind the loop run only where the loop
// runs an iteration: behind a condition, unless the bounds are constant. So
// nothing is loaded that was not, and nothing stored.
//
// Kept as they are: scf.while, and accesses under a condition in the loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Promotes what can be in all `scf.for` loops of `kernel`, inner ones first.
/// Returns the number of addresses promoted.
unsigned promoteInLoops(grain::KernelOp kernel);

} // namespace regrain
