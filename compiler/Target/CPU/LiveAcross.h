//===- LiveAcross.h - Values that live from region to region ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that is used in a region where it may not have been computed has a
// place to wait in: one for the block if it is uniform, one for each thread
// otherwise. Index arithmetic is not kept but computed again: addresses stay
// visible to the vectoriser, and nothing is stored.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/Regions.h"
#include "llvm/ADT/BitVector.h"

namespace regrain::cpu {

class LiveAcross {
public:
  /// `uniformity` is null where the threads of a block go their own ways.
  LiveAcross(llvm::Function &kernel, llvm::ArrayRef<Region> regions, const Uniformity *uniformity);

  /// Values live where `region` starts, in program order, recomputed ones too.
  const llvm::SmallVector<llvm::Instruction *> &liveAt(const llvm::BasicBlock *start) const {
    return live.find(start)->second;
  }
  /// Computed again from arguments, indices and uniform values.
  bool isRecomputed(const llvm::Instruction *inst) const { return recomputed.contains(inst); }
  /// Kept once for the block.
  bool isUniform(const llvm::Instruction *inst) const;
  /// Allocas whose contents live from region to region.
  bool isKept(const llvm::AllocaInst *alloca) const { return kept.contains(alloca); }

private:
  void findRecomputed(llvm::Function &kernel);
  void findLive(llvm::Function &kernel, llvm::ArrayRef<Region> regions);
  void addUse(llvm::Value *value, llvm::BitVector &set) const;
  bool updateLive(llvm::BasicBlock &block);
  void findKept(llvm::Function &kernel, llvm::ArrayRef<Region> regions);

  const Uniformity *uniformity;
  llvm::DenseMap<const llvm::Instruction *, unsigned> recomputed; ///< to its cost
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers;
  std::vector<llvm::Instruction *> values;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> liveIn;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::Instruction *>> live;
  llvm::DenseSet<const llvm::AllocaInst *> kept;
};

} // namespace regrain::cpu
