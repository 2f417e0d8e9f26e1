//===- LockRounds.cpp - Locks released within the loop --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/LockRounds.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

namespace {

/// The effects of a function, or a part of one, on memory that others see.
struct Effects {
  unsigned exchanges = 0;
  unsigned writes = 0; ///< including the exchanges

  void add(const Effects &other) {
    exchanges += other.exchanges;
    writes += other.writes;
  }
};

class EffectsOfFunctions {
public:
  const Effects &of(const Function &function) {
    auto [found, isNew] = known.try_emplace(&function);
    if (!isNew)
      return found->second;
    Effects effects;
    for (const Instruction &inst : instructions(function))
      effects.add(of(inst));
    return known[&function] = effects;
  }

  Effects of(const Instruction &inst) {
    if (isa<AtomicCmpXchgInst>(inst))
      return {1, 1};
    if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
      return {update->getOperation() == AtomicRMWInst::Xchg, 1};
    if (auto *store = dyn_cast<StoreInst>(&inst))
      return {0, !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand(), 0))};
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration() ? of(*callee) : Effects();
  }

private:
  DenseMap<const Function *, Effects> known; ///< nothing while it is being computed
};

/// Hides a condition: counting the lanes of an empty mask adds nothing, but LLVM does not know
/// that.
void hide(BranchInst &branch) {
  IRBuilder<> builder(&branch);
  Value *number = builder.CreateZExt(branch.getCondition(), builder.getInt32Ty());
  Value *same =
      builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {builder.getInt32(0), number});
  branch.setCondition(builder.CreateICmpNE(same, builder.getInt32(0)));
}

} // namespace

/// Restores hidden conditions. A test that hides a condition may have become its negation.
void showLockRounds(Function &function) {
  for (Instruction &test : make_early_inc_range(instructions(function))) {
    ICmpInst::Predicate predicate;
    Value *condition;
    auto hidden = m_Intrinsic<Intrinsic::amdgcn_mbcnt_lo>(m_Zero(), m_ZExt(m_Value(condition)));
    if (!match(&test, m_ICmp(predicate, hidden, m_Zero())) || !ICmpInst::isEquality(predicate) ||
        !condition->getType()->isIntegerTy(1))
      continue;
    if (predicate == ICmpInst::ICMP_EQ)
      condition = IRBuilder<>(&test).CreateNot(condition);
    test.replaceAllUsesWith(condition);
    test.eraseFromParent();
  }
}

void keepLockRounds(Module &module) {
  EffectsOfFunctions functions;
  for (Function &function : module) {
    if (function.isDeclaration() || functions.of(function).exchanges == 0)
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      Effects effects;
      for (BasicBlock *block : loop->blocks())
        for (Instruction &inst : *block)
          effects.add(functions.of(inst));
      if (effects.exchanges == 0 || effects.writes < 2)
        continue;
      SmallVector<BasicBlock *> leaving;
      loop->getExitingBlocks(leaving);
      for (BasicBlock *block : leaving)
        if (auto *branch = dyn_cast<BranchInst>(block->getTerminator()))
          hide(*branch);
    }
  }
}

} // namespace regrain::amdgpu
