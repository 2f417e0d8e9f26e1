//===- LockRounds.h - Locks released within the loop ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (!done)
//     if (atomicCAS(lock, 0, 1) == 0) { work; atomicExch(lock, 0); done = true; }
//
// This code runs in lockstep, because each iteration ends with the lock released. But LLVM sees
// that the loop ends where the lock was taken, and moves the work behind the loop, which no lane
// reaches while others are in the loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Hides from LLVM the end of a loop that acquires by an exchange and also writes, so that the
/// contents of the loop stay in it. Call this before LLVM's passes.
void keepLockRounds(llvm::Module &module);

/// Restores what was hidden, in a copy for analyses.
void showLockRounds(llvm::Function &function);

} // namespace regrain::amdgpu
