//===- LiveAcross.h - Values that live across regions -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that is used in a region where it may not have been computed has a place in memory: one
// for the block if it is uniform, one for each thread otherwise. Index arithmetic is not kept but
// computed again, so that addresses stay visible to the vectoriser and nothing is stored.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/Regions.h"
#include "llvm/ADT/BitVector.h"

namespace regrain::cpu {

class LiveAcross {
public:
  /// `uniformity` is null if the threads of a block take different paths.
  LiveAcross(llvm::Function &kernel, llvm::ArrayRef<Region> regions, const Uniformity *uniformity);

  /// Returns the values that are live where `start` begins, in program order, including recomputed
  /// ones.
  const llvm::SmallVector<llvm::Instruction *> &liveAt(const llvm::BasicBlock *start) const {
    return live.find(start)->second;
  }
  /// Returns whether a value is computed again from arguments, indices and uniform values.
  bool isRecomputed(const llvm::Instruction *inst) const { return recomputed.contains(inst); }
  /// Returns whether a value is kept once for the block.
  bool isUniform(const llvm::Instruction *inst) const;
  /// Returns whether the contents of an alloca live across regions.
  bool isKept(const llvm::AllocaInst *alloca) const { return kept.contains(alloca); }

private:
  void findRecomputed(llvm::Function &kernel);
  void findLive(llvm::Function &kernel, llvm::ArrayRef<Region> regions);
  void addUse(llvm::Value *value, llvm::BitVector &set) const;
  bool updateLive(llvm::BasicBlock &block);
  void findKept(llvm::Function &kernel, llvm::ArrayRef<Region> regions);

  const Uniformity *uniformity;
  llvm::DenseMap<const llvm::Instruction *, unsigned> recomputed; ///< with the cost
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers;
  std::vector<llvm::Instruction *> values;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> liveIn;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::Instruction *>> live;
  llvm::DenseSet<const llvm::AllocaInst *> kept;
};

} // namespace regrain::cpu
