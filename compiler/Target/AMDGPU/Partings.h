//===- Partings.h - Where the lanes of a warp diverge -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"

namespace regrain::amdgpu {

/// Lanes diverge at the end of `block`, in an iteration of `loop` unless that is null.
struct Parting {
  const llvm::BasicBlock *block;
  const llvm::Loop *loop;
};

/// All places where lanes of a warp diverge.
struct Partings {
  /// Each loop around the end of a block has an entry of its own.
  llvm::SmallVector<Parting> all;
  /// As SingleDimensions: the dimensions on which the absence of other places depends.
  unsigned singleDimensions;
};

Partings findPartings(const llvm::Function &kernel, const llvm::UniformityInfo &uniformity,
                      const llvm::LoopInfo &loops);

} // namespace regrain::amdgpu
