//===- Polls.h - Plain loads that threads poll ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that wait for others have to let these run. ptxas ensures that (by an instruction
// YIELD) in loops with volatile or atomic accesses, but not in
//
//   while (*flag == 0)
//     __threadfence();
//
// where lanes of one warp may then wait for ever. With nvcc such loops terminate or not, depending
// on the layout of the branches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Returns whether the instruction orders accesses to memory.
bool isFence(const llvm::Instruction &instruction);

/// Makes plain loads volatile that are in the same loop as a fence and whose address is the same in
/// all iterations. Beside a fence that costs little. No thread waits by a load that only bounds a
/// counter of the loop, nor in a loop that only counters end: such loads stay. Call this after
/// LLVM's passes.
void markPolls(llvm::Module &module);

} // namespace regrain::nvptx
