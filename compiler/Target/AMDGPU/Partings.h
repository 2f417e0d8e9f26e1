//===- Partings.h - Where the lanes of a warp part --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"

namespace regrain::amdgpu {

/// Lanes part at the end of `block`, in a round of `loop` if that is not null.
struct Parting {
  const llvm::BasicBlock *block;
  const llvm::Loop *loop;
};

/// Where lanes of a warp part.
struct Partings {
  /// Each loop around the end of a block has rounds of its own.
  llvm::SmallVector<Parting> all;
  /// As SingleDimensions: for lanes not to part elsewhere.
  unsigned singleDimensions;
};

Partings findPartings(const llvm::Function &kernel, const llvm::UniformityInfo &uniformity,
                      const llvm::LoopInfo &loops);

} // namespace regrain::amdgpu
