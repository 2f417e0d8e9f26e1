//===- Decisions.h - What decides a loop's iteration count ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the values in a loop on which its exits depend: the operands of their conditions, and
// the conditions under which an exit or an edge to a phi is reached at all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Machine.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace regrain::waiting {

/// Determines whose actions can change the iteration count of a loop. The loop contains an
/// operation by which threads may communicate; without one, the count depends on the thread alone.
class Decisions {
public:
  Decisions(llvm::Loop &loop, const llvm::DominatorTree &dominators,
            llvm::PostDominatorTree &postDominators, llvm::ScalarEvolution &evolution,
            const Machine &machine);

  Partners partners() const { return found; }
  /// Returns the memory accesses and calls in the loop that observe others' actions and decide.
  llvm::ArrayRef<llvm::Instruction *> reads() const { return deciders.getArrayRef(); }

private:
  /// How a value takes part. If a number is counted towards a limit, others cannot keep the loop
  /// going through the operands of the limit, unless these are read in order to communicate.
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
