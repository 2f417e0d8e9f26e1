//===- WaitGroups.h - Warp operations that are carried out at once -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   a = shfl(mask, x, 1)          x' = g(...)
//   x' = g(...)                   a = shfl(mask, x, 1)
//   u = f(a)              becomes b = shfl(mask, x', 1)
//   b = shfl(mask, x', 1)         u = f(a)
//
// A group consists of warp operations that stand one behind the other in a block, of one kind, with
// the same mask and the same operands except for the value that is handed over. It ends one region
// of the kernel, not one for each operation: threads hand over all values, and find all results.
//
// Legal if the values do not depend on results of the group, and nothing lies between its
// operations but pure code that cannot trap: no access to memory, no barrier, no other warp
// operation, no call. Which lanes meet is the same as if each operation stood alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace regrain::cpu {

/// The operations in the largest group. More of them would need more cache than they save.
inline constexpr unsigned mostInGroup = 16;

/// Moves operations that form a group next to each other.
void groupWaits(llvm::Function &kernel);

/// Returns the calls of regrain_wait in the group that starts with `first`, which may be a barrier
/// or stand alone. The next group starts behind the last one.
llvm::SmallVector<llvm::CallInst *> groupAt(llvm::CallInst &first);

} // namespace regrain::cpu
