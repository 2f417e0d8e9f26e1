//===- ThreadValues.h - How values differ between threads -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace regrain::amdgpu {

/// How a function's blocks follow each other.
struct FunctionShape {
  const llvm::DominatorTree &dominators;
  const llvm::LoopInfo &loops;
};

/// False if `value` is the same in all threads of a block. What one thread reads at
/// an address all read there.
bool differsInBlock(const llvm::Value &value, const FunctionShape &shape);
/// The same where it is used, which threads may come to in different rounds of a loop.
bool differsInBlock(const llvm::Use &use, const FunctionShape &shape);

/// Whether the function asks for a thread's y or z.
bool asksForRows(const llvm::Function &function);

/// Asks once, in the entry block, for what the launch and the thread's place are, so
/// that equal values are one.
void uniteCoordinates(llvm::Function &function);

/// The comparison in front of `inst` that at most one lane of a wave of `waveSize`
/// passes, null where there is none: the thread's number in the block, the lane's,
/// or a number that is as fine against a value that is the same in the block. A
/// kernel that does not ask for a thread's y or z is taken to have blocks without it.
const llvm::ICmpInst *electionOf(const llvm::Instruction &inst, const FunctionShape &shape,
                                 unsigned waveSize);

} // namespace regrain::amdgpu
