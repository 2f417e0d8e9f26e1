//===- Elections.h - Code that one lane of a wave runs ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/ThreadValues.h"

namespace regrain::amdgpu {

/// Finds where a kernel elects a lane, by its number in the wave or in the block. What a thread's
/// number is depends on the dimensions of the block that the kernel asks for.
class Elections {
public:
  Elections(const FunctionShape &shape, unsigned waveSize) : shape(shape), waveSize(waveSize) {}

  /// The comparison in front of `inst` that at most one lane of a wave passes, null where there is
  /// none: the thread's number in the block, the lane's, or a number that is as fine against a
  /// value that is the same in the block.
  const llvm::ICmpInst *find(const llvm::Instruction &inst);

  /// Dimensions in which blocks must have one thread for what was found to hold: Coordinates.
  unsigned singleDimensions() const { return single; }

private:
  bool tellsApart(unsigned found, const llvm::Function &function);
  bool isOneToOne(const llvm::Value *value, const llvm::Function &function);
  bool elects(const llvm::ICmpInst &compare);
  const llvm::ICmpInst *electionIn(const llvm::Value *condition, bool holds);

  FunctionShape shape;
  unsigned waveSize;
  unsigned single = None;
};

} // namespace regrain::amdgpu
