//===- Elections.h - Code that one lane of a wave runs ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/ThreadValues.h"

namespace regrain::amdgpu {

/// Finds where a kernel elects a lane, by its number in the wave or in the block. A thread's number
/// depends on the dimensions of the block that the kernel reads.
class Elections {
public:
  Elections(const FunctionShape &shape, unsigned waveSize) : shape(shape), waveSize(waveSize) {}

  /// Returns a comparison before `inst` that at most one lane of a wave passes, or null. It
  /// compares the thread's number in the block, the lane's number, or another number that is
  /// different for each lane, with a value that is the same in the block.
  const llvm::ICmpInst *find(const llvm::Instruction &inst);

  /// Returns the dimensions (Coordinates) in which blocks must have one thread for the results to
  /// hold.
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
