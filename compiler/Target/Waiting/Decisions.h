//===- Decisions.h - What decides how often a loop goes round ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values in a loop on which its exits depend: the operands of their conditions,
// and the conditions under which an exit or a way to a phi is reached at all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Machine.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace regrain::waiting {

/// Whose actions can change how often a loop goes round. The loop holds something by
/// which threads may communicate; where it does not, its number of turns is its own.
class Decisions {
public:
  Decisions(llvm::Loop &loop, const llvm::DominatorTree &dominators,
            llvm::PostDominatorTree &postDominators, llvm::ScalarEvolution &evolution,
            const Machine &machine);

  Partners partners() const { return found; }
  /// What in the loop hears of others' actions, and decides: accesses of memory, and calls.
  llvm::ArrayRef<llvm::Instruction *> reads() const { return deciders.getArrayRef(); }

private:
  /// How a value takes part. Where a number is counted against a limit, others cannot
  /// keep the loop going by what the limit is made of, unless it is read from them
  /// on purpose.
  enum class Part { Limit, Decides };

  void addExit(llvm::BasicBlock &block);
  void addCondition(llvm::Value &condition, bool stays);
  void addControl(llvm::BasicBlock &block);
  void add(llvm::Value *value, Part part);
  void visit(llvm::Instruction &inst, Part part);
  void visitPhi(llvm::PHINode &phi, Part part);
  void visitLoad(llvm::LoadInst &load, Part part);
  void visitCall(llvm::CallBase &call, Part part);
  void addStores(const llvm::AllocaInst &variable, Part part);
  void addOperands(const llvm::Instruction &inst, Part part);
  void involve(Partners partners) { found = std::max(found, partners); }
  void hear(llvm::Instruction &inst, Partners partners);

  llvm::Loop &loop;
  const llvm::DominatorTree &dominators;
  llvm::PostDominatorTree &postDominators;
  llvm::ScalarEvolution &evolution;
  const Machine &machine;
  llvm::SmallVector<std::pair<llvm::Instruction *, Part>> pending;
  llvm::SmallPtrSet<llvm::Value *, 32> limits, deciding;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> controlled, exits;
  Partners found = Partners::None;
  llvm::SmallSetVector<llvm::Instruction *, 4> deciders;
};

} // namespace regrain::waiting
