//===- EarlyCounters.cpp - Counters of loops that a flag ends ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/EarlyCounters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the only value that the phi may have, if it is poison where it does not have it.
Instruction *onlyValueOf(const PHINode &phi) {
  Instruction *only = nullptr;
  for (Value *value : phi.incoming_values()) {
    if (isa<PoisonValue>(value))
      continue;
    if (only || !isa<Instruction>(value))
      return nullptr;
    only = cast<Instruction>(value);
  }
  return only;
}

class Counters {
public:
  Counters(LoopInfo &loops, DominatorTree &tree) : loops(loops), tree(tree) {}

  /// Returns whether anything changed.
  bool run() {
    for (Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost())
        for (BasicBlock *block : loop->blocks())
          if (block != loop->getHeader())
            for (PHINode &phi : block->phis())
              if (Instruction *value = onlyValueOf(phi); value && mayRunAt(*value, *partingOf(phi)))
                early.push_back({&phi, value});
    for (auto [phi, value] : early) {
      if (!tree.dominates(value, phi))
        value->moveBefore(partingOf(*phi));
      phi->replaceAllUsesWith(value);
      phi->eraseFromParent();
    }
    return !early.empty();
  }

private:
  /// Returns the branch at which the ways to the phi part. It is in the phi's loop, whose header
  /// dominates it.
  Instruction *partingOf(const PHINode &phi) const {
    return tree.getNode(phi.getParent())->getIDom()->getBlock()->getTerminator();
  }

  bool mayRunAt(const Instruction &value, const Instruction &place) const {
    return !value.mayReadFromMemory() && isSafeToSpeculativelyExecute(&value) &&
           all_of(value.operands(), [&](const Use &operand) {
             return !isa<Instruction>(operand) || tree.dominates(operand.get(), &place);
           });
  }

  LoopInfo &loops;
  DominatorTree &tree;
  SmallVector<std::pair<PHINode *, Instruction *>> early;
};

} // namespace

PreservedAnalyses EarlyCounters::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  DominatorTree &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  return Counters(loops, tree).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
