//===- NamedLanes.h - Whether diverged lanes name each other ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes meet at different places only if their masks are equal and each mask names lanes of both
// places. Masks that are not shown to differ count as equal.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

namespace regrain::amdgpu {

/// Some lanes of a warp that have left `parting` by its successor number `way`, while others left
/// by `otherWay`, and that reach `site`, where they name `lanes`.
struct Arrival {
  const llvm::BasicBlock *parting;
  unsigned way, otherWay;
  const llvm::Instruction *site;
  const llvm::Value *lanes;
  /// Values that were computed before they diverged have not changed since.
  bool isFresh;
};

/// Returns whether the masks may be equal. A mask names at least one lane.
bool mayBeEqual(const llvm::KnownBits &one, const llvm::KnownBits &other);

/// Returns whether lanes of one arrival may name lanes of the other, from which they diverged.
bool mayNameEachOther(const Arrival &one, const Arrival &other, const llvm::DominatorTree &tree,
                      const llvm::LoopInfo &loops);

} // namespace regrain::amdgpu
