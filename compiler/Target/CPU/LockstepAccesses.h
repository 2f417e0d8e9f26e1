//===- LockstepAccesses.h - Volatile accesses in step -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   left = s[lane - 1]                     left = s[lane - 1]
//   s[lane] += left          becomes       step
//   x = s[lane ^ 1]                        s[lane] += left
//                                          step
//                                          x = s[lane ^ 1]
//
// Code older than __syncwarp lets lanes exchange values by volatile accesses, and relies on a warp
// that executes each of them for all of its lanes at once. A step is a wait for the lanes of the
// warp that are behind (Library/Scheduler.c). One stands in front of each volatile store, and in
// front of each volatile load that may follow such a store, unless a barrier is between them. This
// is so for memory that a function both loads and stores like this: in other memory, lanes exchange
// nothing.
//
// A step never waits for a lane that waits itself, and only so long for others, so it adds no
// deadlock. Programs in which lanes do not exchange values like this have the same results.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::cpu {

/// Inserts the steps in all functions. Shared variables have their places.
void stepThroughVolatiles(llvm::Module &module);

} // namespace regrain::cpu
