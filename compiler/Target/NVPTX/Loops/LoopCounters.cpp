//===- LoopCounters.cpp - What counts the iterations of a loop ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/LoopCounters.h"
#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// A counter of a loop: zero at first, and more by a constant in each iteration.
struct Counter {
  PHINode *value;
  BinaryOperator *next;
  const APInt *step;
};

/// The comparison by which alone a loop ends.
struct End {
  Counter counter;
  ICmpInst *comparison;
  unsigned limitIndex; ///< which operand of the comparison is the limit

  Value *limit() const { return comparison->getOperand(limitIndex); }
};

std::optional<Counter> counterOf(PHINode &phi, const Loop &loop) {
  Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch());
  auto *sum = dyn_cast<BinaryOperator>(next);
  const APInt *step = nullptr;
  if (!phi.getType()->isIntegerTy() || !sum ||
      !match(phi.getIncomingValueForBlock(loop.getLoopPreheader()), m_Zero()) ||
      !match(sum, m_Add(m_Specific(&phi), m_APInt(step))))
    return std::nullopt;
  return Counter{&phi, sum, step};
}

/// Returns the end of a loop that goes on, after all of an iteration, until a counter is the limit.
std::optional<End> endOf(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader() || loop.getExitingBlock() != latch)
    return std::nullopt;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto *comparison =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!comparison || !comparison->isEquality())
    return std::nullopt;
  bool endsIfEqual = comparison->getPredicate() == ICmpInst::ICMP_EQ;
  if (loop.contains(branch->getSuccessor(endsIfEqual ? 0 : 1)))
    return std::nullopt;
  for (PHINode &phi : loop.getHeader()->phis())
    if (std::optional<Counter> counter = counterOf(phi, loop))
      for (unsigned index : {0u, 1u})
        if (End end = {*counter, comparison, 1 - index};
            comparison->getOperand(index) == counter->next && loop.isLoopInvariant(end.limit()))
          return end;
  return std::nullopt;
}

/// Returns the limit as a number of `type` that another counter of the loop reaches at the end;
/// null if the other is wider, and the counter may have wrapped around.
Value *limitAs(Type *type, const End &end, IRBuilder<> &builder) {
  unsigned bits = type->getIntegerBitWidth(), own = end.limit()->getType()->getIntegerBitWidth();
  if (bits > own && !end.counter.next->hasNoUnsignedWrap())
    return nullptr;
  return builder.CreateZExtOrTrunc(end.limit(), type);
}

bool hasSameStep(const Counter &first, const Counter &second) {
  unsigned bits = std::max(first.step->getBitWidth(), second.step->getBitWidth());
  return first.step->isStrictlyPositive() && second.step->isStrictlyPositive() &&
         first.step->zext(bits) == second.step->zext(bits);
}

bool useLimit(const Loop &loop) {
  std::optional<End> end = endOf(loop);
  if (!end)
    return false;
  bool isChanged = false;
  IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  for (PHINode &phi : loop.getHeader()->phis()) {
    std::optional<Counter> other = counterOf(phi, loop);
    auto isBehind = [&](const Use &use) {
      return !loop.contains(cast<Instruction>(use.getUser())->getParent());
    };
    if (!other || !hasSameStep(end->counter, *other) || none_of(other->next->uses(), isBehind))
      continue;
    Value *limit = limitAs(phi.getType(), *end, builder);
    if (!limit)
      continue;
    other->next->replaceUsesWithIf(limit, isBehind);
    isChanged = true;
  }
  return isChanged;
}

bool onlyEnds(const End &end) {
  const auto &[value, next, step] = end.counter;
  return value->hasOneUse() && all_of(next->users(), [&](const User *user) {
           return user == value || user == end.comparison;
         });
}

bool countDownIn(const Loop &loop) {
  std::optional<End> end = endOf(loop);
  if (!end || isa<Constant>(end->limit()) || !onlyEnds(*end))
    return false;
  bool isUsedElsewhere = any_of(end->limit()->users(), [&](const User *user) {
    auto *instruction = dyn_cast<Instruction>(user);
    return user != end->comparison && instruction && loop.contains(instruction->getParent());
  });
  if (isUsedElsewhere)
    return false;
  auto &[value, next, step] = end->counter;
  value->setIncomingValueForBlock(loop.getLoopPreheader(), end->limit());
  next->setOperand(next->getOperand(0) == value ? 1 : 0, ConstantInt::get(next->getType(), -*step));
  next->dropPoisonGeneratingFlags();
  end->comparison->setOperand(end->limitIndex, ConstantInt::getNullValue(next->getType()));
  return true;
}

} // namespace

PreservedAnalyses UseLimits::run(Function &function, FunctionAnalysisManager &analyses) {
  bool isChanged = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    isChanged |= loop->isInnermost() && useLimit(*loop);
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

bool countDown(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool isChanged = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    isChanged |= countDownIn(*loop);
  return isChanged;
}

FunctionPass *createCountDown() { return new LateRewrite<countDown>(); }

} // namespace regrain::nvptx
