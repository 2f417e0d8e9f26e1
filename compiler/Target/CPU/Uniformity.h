//===- Uniformity.h - Values that all threads share -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses a kernel in which no calls that depend on the thread are left. "True" is certain;
// "false" means divergent or unknown.
//
// A plain load is uniform if its address is uniform and all threads execute it: between two
// barriers, a race-free program does not write what several threads read.
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

  /// Returns whether all threads of the block that compute the value compute the same.
  bool isUniform(const llvm::Value *value) const { return !divergent.contains(value); }
  /// Returns whether all threads of the block execute the block, or none (alike in each loop
  /// iteration).
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
