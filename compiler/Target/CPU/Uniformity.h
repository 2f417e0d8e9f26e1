//===- Uniformity.h - What is the same for all threads ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a kernel without calls that depend on the thread. "True" is certain;
// "false" means divergent or unknown.
//
// A plain load is uniform if its address is and all threads execute it: between
// two barriers a race-free program does not write what several threads read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Function.h"

namespace regrain::cpu {

class Uniformity {
public:
  explicit Uniformity(llvm::Function &kernel);

  /// All threads of the block that compute the value compute the same.
  bool isUniform(const llvm::Value *value) const { return !divergent.contains(value); }
  /// All threads of the block execute it, or none (each turn of a loop alike).
  bool isUniform(const llvm::BasicBlock *block) const { return !divergentBlocks.contains(block); }

private:
  bool isDivergent(const llvm::Instruction &inst) const;
  bool markBranch(const llvm::BasicBlock &block);

  llvm::PostDominatorTree postDominators;
  llvm::DenseSet<const llvm::Value *> divergent;
  llvm::DenseSet<const llvm::BasicBlock *> divergentBlocks;
  llvm::DenseSet<const llvm::BasicBlock *> divergentJoins;
};

} // namespace regrain::cpu
