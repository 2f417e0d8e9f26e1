//===- CountedLoops.cpp - Loops that ptxas can unroll ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/CountedLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Pass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// Returns the comparison that decides whether the loop runs again, if it decides nothing else.
CmpInst *decisionOf(const Loop &loop, BranchInst *branch) {
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
      !is_contained(successors(branch), loop.getHeader()))
    return nullptr;
  auto *comparison = dyn_cast<CmpInst>(branch->getCondition());
  return comparison && comparison->hasOneUse() ? comparison : nullptr;
}

/// Makes a 32-bit induction variable of the low half of a 64-bit one; null if `half` is none.
Instruction *countInHalf(const Loop &loop, TruncInst &half) {
  BasicBlock *block = loop.getHeader(), *before = loop.getLoopPreheader();
  Value *next = half.getOperand(0), *previous = nullptr;
  const APInt *step = nullptr;
  if (!half.getType()->isIntegerTy(32) || !before || half.getParent() != block ||
      !match(next, m_Add(m_Value(previous), m_APInt(step))))
    return nullptr;
  auto *phi = dyn_cast<PHINode>(previous);
  if (!phi || phi->getParent() != block || phi->getIncomingValueForBlock(block) != next)
    return nullptr;
  IRBuilder<> builder(before->getTerminator());
  Value *begin = builder.CreateTrunc(phi->getIncomingValueForBlock(before), half.getType());
  builder.SetInsertPoint(phi);
  PHINode *counter = builder.CreatePHI(half.getType(), 2, "counter");
  builder.SetInsertPoint(&half);
  auto *counted = BinaryOperator::CreateAdd(
      counter, ConstantInt::get(half.getType(), step->trunc(32)), "counted", half.getIterator());
  counter->addIncoming(begin, before);
  counter->addIncoming(counted, block);
  return counted;
}

/// Moves the low half of what the loop does not change out of it, where LLVM may have sunk it.
void showLimit(const Loop &loop, Value *limit) {
  auto *half = dyn_cast<TruncInst>(limit);
  if (half && loop.contains(half) && loop.isLoopInvariant(half->getOperand(0)))
    half->moveBefore(loop.getLoopPreheader()->getTerminator());
}

/// Gives the comparison of a loop of one block a counter of its own. How a loop with a constant
/// limit is unrolled, LLVM has already decided.
bool showCounter(const Loop &loop, CmpInst &comparison) {
  if (loop.getNumBlocks() != 1 || hasUnrollTransformation(&loop) & TM_Disable ||
      !comparison.isEquality())
    return false;
  for (unsigned index : {0, 1}) {
    auto *half = dyn_cast<TruncInst>(comparison.getOperand(index));
    Value *limit = comparison.getOperand(1 - index);
    Instruction *counted = half && !isa<Constant>(limit) ? countInHalf(loop, *half) : nullptr;
    if (!counted)
      continue;
    half->replaceAllUsesWith(counted);
    half->eraseFromParent();
    showLimit(loop, limit);
    return true;
  }
  return false;
}

struct ShowCounters final : FunctionPass {
  static char ID;
  ShowCounters() : FunctionPass(ID) {}

  // What follows uses results of the stack protector, which this leaves as they are.
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesAll(); }

  bool runOnFunction(Function &function) override {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    bool hasChanged = false;
    for (Loop *loop : loops.getLoopsInPreorder()) {
      BasicBlock *latch = loop->getLoopLatch();
      auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
      CmpInst *comparison = decisionOf(*loop, branch);
      if (!comparison)
        continue;
      hasChanged |= showCounter(*loop, *comparison);
      if (branch->getSuccessor(1) != loop->getHeader())
        continue;
      comparison->setPredicate(comparison->getInversePredicate());
      branch->swapSuccessors();
      hasChanged = true;
    }
    return hasChanged;
  }
};

char ShowCounters::ID = 0;

} // namespace

FunctionPass *createShowCounters() { return new ShowCounters(); }

} // namespace regrain::nvptx
