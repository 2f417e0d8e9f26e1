//===- NamedLanes.h - Whether lanes that parted name each other -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes meet at different places only where their masks are equal, and each mask names lanes of
// both places. What is not shown to differ is taken to be equal.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

namespace regrain::amdgpu {

/// Some lanes of a warp, which have left `parting` by its successor number `way`, where others left
/// by `otherWay`, and come to `site`, where they name `lanes`.
struct Arrival {
  const llvm::BasicBlock *parting;
  unsigned way, otherWay;
  const llvm::Instruction *site;
  const llvm::Value *lanes;
  /// What was computed before they parted is still the same.
  bool isFresh;
};

/// Whether the masks may be equal. A mask names a lane at least.
bool mayBeEqual(const llvm::KnownBits &one, const llvm::KnownBits &other);

/// Whether lanes of one arrival may name lanes of the other, which parted from them.
bool mayNameEachOther(const Arrival &one, const Arrival &other, const llvm::DominatorTree &tree,
                      const llvm::LoopInfo &loops);

} // namespace regrain::amdgpu
