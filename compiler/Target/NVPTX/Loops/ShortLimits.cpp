//===- ShortLimits.cpp - Limits of 32 bits for wide counters --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/ShortLimits.h"

#include "compiler/Target/NVPTX/KeptBlocks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned shortBits = 32;

/// Returns the comparison that ends the loop in its latch by the equality of 64-bit numbers.
ICmpInst *endOf(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  auto *end = branch && branch->isConditional() && loop.isLoopExiting(latch)
                  ? dyn_cast<ICmpInst>(branch->getCondition())
                  : nullptr;
  bool isWide = end && end->isEquality() && end->hasOneUse() &&
                end->getOperand(0)->getType()->isIntegerTy(2 * shortBits);
  return isWide ? end : nullptr;
}

bool isShort(const SCEV *number, ScalarEvolution &evolution) {
  return evolution.getUnsignedRangeMax(number).getActiveBits() <= shortBits;
}

/// Returns whether the loop counts with the number by a constant step, and reaches no number of
/// more than 32 bits. One that counts by 1 passes no limit that it begins below.
bool isShortCounter(Value &number, const SCEV *limit, const Loop &loop,
                    ScalarEvolution &evolution) {
  auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&number));
  auto *step = counter && counter->getLoop() == &loop && counter->isAffine()
                   ? dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution))
                   : nullptr;
  return step &&
         (isShort(counter, evolution) ||
          (step->getAPInt().isOne() && evolution.isLoopEntryGuardedByCond(
                                           &loop, ICmpInst::ICMP_ULE, counter->getStart(), limit)));
}

bool shorten(Loop &loop, ScalarEvolution &evolution) {
  ICmpInst *end = endOf(loop);
  BasicBlock *before = loop.getLoopPredecessor();
  if (!end || !before)
    return false;
  unsigned side = loop.isLoopInvariant(end->getOperand(0)) ? 1 : 0;
  Value *counter = end->getOperand(side), *limit = end->getOperand(1 - side);
  if (!loop.isLoopInvariant(limit) || isa<Constant>(limit))
    return false;
  const SCEV *known = evolution.getSCEV(limit);
  if (!isShort(known, evolution) || !isShortCounter(*counter, known, loop, evolution))
    return false;
  IRBuilder<> builder(before->getTerminator());
  Value *half = builder.CreateTrunc(limit, builder.getIntNTy(shortBits));
  builder.SetInsertPoint(end);
  end->setOperand(side, builder.CreateTrunc(counter, half->getType()));
  end->setOperand(1 - side, half);
  return true;
}

} // namespace

PreservedAnalyses ShortLimits::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool isChanged = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getNumBlocks() > 1)
      isChanged |= shorten(*loop, evolution);
  return preservedWithBlocks(isChanged);
}

} // namespace regrain::nvptx
