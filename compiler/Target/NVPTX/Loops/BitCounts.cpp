//===- BitCounts.cpp - Loops that count bits ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/BitCounts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// The values of a loop of one block that counts bits.
struct BitCount {
  PHINode *bits = nullptr;
  Instruction *lessBits = nullptr; ///< `bits` without its lowest bit
  PHINode *count = nullptr;
  Instruction *nextCount = nullptr;
  BranchInst *branch = nullptr;
};

/// Returns whether the loop is left if and only if `value` is zero.
bool leavesAtZero(const BranchInst &branch, const Value *value, const BasicBlock *loop) {
  ICmpInst::Predicate predicate;
  if (!branch.isConditional() ||
      !match(branch.getCondition(), m_ICmp(predicate, m_Specific(value), m_Zero())))
    return false;
  unsigned stays = predicate == ICmpInst::ICMP_NE ? 0 : 1;
  return ICmpInst::isEquality(predicate) && branch.getSuccessor(stays) == loop &&
         branch.getSuccessor(1 - stays) != loop;
}

bool isUsedOutside(const PHINode &phi) {
  return any_of(phi.users(), [&](const User *user) {
    return cast<Instruction>(user)->getParent() != phi.getParent();
  });
}

/// Returns the values of the loop if it only counts bits.
std::optional<BitCount> findBitCount(const Loop &loop) {
  BasicBlock *block = loop.getHeader();
  if (loop.getNumBlocks() != 1 || !loop.getLoopPreheader() || !loop.getExitBlock())
    return std::nullopt;
  BitCount found;
  found.branch = dyn_cast<BranchInst>(block->getTerminator());
  for (PHINode &phi : block->phis()) {
    Value *next = phi.getIncomingValueForBlock(block);
    if (match(next, m_c_And(m_Specific(&phi), m_Add(m_Specific(&phi), m_AllOnes())))) {
      found.bits = &phi;
      found.lessBits = cast<Instruction>(next);
    } else if (match(next, m_Add(m_Specific(&phi), m_One()))) {
      found.count = &phi;
      found.nextCount = cast<Instruction>(next);
    }
  }
  // Two phis, the difference, the conjunction, the sum, the comparison and the branch.
  constexpr size_t everything = 7;
  if (!found.bits || !found.count || !found.branch || block->sizeWithoutDebug() != everything ||
      !leavesAtZero(*found.branch, found.lessBits, block) || isUsedOutside(*found.bits) ||
      isUsedOutside(*found.count))
    return std::nullopt;
  return found;
}

struct CountBitsAtOnce : PassInfoMixin<CountBitsAtOnce> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    std::optional<BitCount> found = findBitCount(loop);
    if (!found || !entersWithBits(loop, *found, results))
      return PreservedAnalyses::all();
    BasicBlock *before = loop.getLoopPreheader();
    IRBuilder<> builder(before->getTerminator());
    Value *all = builder.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                              found->bits->getIncomingValueForBlock(before));
    Value *counted =
        builder.CreateAdd(found->count->getIncomingValueForBlock(before),
                          builder.CreateZExtOrTrunc(all, found->count->getType()), "count");
    BasicBlock *block = loop.getHeader();
    auto isOutside = [&](Use &use) {
      return cast<Instruction>(use.getUser())->getParent() != block;
    };
    results.SE.forgetLoop(&loop);
    found->nextCount->replaceUsesWithIf(counted, isOutside);
    found->lessBits->replaceUsesWithIf(Constant::getNullValue(found->bits->getType()), isOutside);
    // Nothing is left to do for the loop, and LLVM removes it.
    found->branch->setCondition(
        builder.getInt1(found->branch->getSuccessor(0) == loop.getExitBlock()));
    return getLoopPassPreservedAnalyses();
  }

private:
  static bool entersWithBits(const Loop &loop, const BitCount &found,
                             LoopStandardAnalysisResults &results) {
    BasicBlock *before = loop.getLoopPreheader();
    Value *bits = found.bits->getIncomingValueForBlock(before);
    const DataLayout &layout = before->getModule()->getDataLayout();
    return isKnownNonZero(
               bits, SimplifyQuery(layout, &results.DT, &results.AC, before->getTerminator())) ||
           results.SE.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE, results.SE.getSCEV(bits),
                                               results.SE.getZero(bits->getType()));
  }
};

} // namespace

void countBitsAtOnce(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(CountBitsAtOnce()); });
}

} // namespace regrain::nvptx
