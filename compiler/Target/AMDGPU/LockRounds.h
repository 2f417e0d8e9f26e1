//===- LockRounds.h - Locks given back within the loop ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (!done)
//     if (atomicCAS(lock, 0, 1) == 0) { work; atomicExch(lock, 0); done = true; }
//
// runs in lockstep: each round ends with the lock given back. LLVM sees that the
// loop ends where the lock was taken and moves the work behind it, where no lane
// gets while others are in the loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Hides from LLVM what ends a loop that takes by exchange and writes besides, so
/// that what is in the loop stays in it. Runs before LLVM's passes.
void keepLockRounds(llvm::Module &module);

/// Makes plain what was hidden, in a copy for analyses.
void showLockRounds(llvm::Function &function);

} // namespace regrain::amdgpu
