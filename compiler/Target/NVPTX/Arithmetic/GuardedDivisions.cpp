//===- GuardedDivisions.cpp - Divisions only where they are needed --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/GuardedDivisions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the instruction is exact, and takes many of the machine's.
bool isLong(const Instruction &instruction) {
  Type *type = instruction.getType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return false;
  // Fast mathematics, which flushes to zero, has approximations for floats.
  if (type->isFloatTy() &&
      instruction.getFunction()->getDenormalMode(APFloat::IEEEsingle()).Output ==
          DenormalMode::PreserveSign)
    return false;
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return is_contained({Intrinsic::ID(Intrinsic::sqrt), Intrinsic::ID(Intrinsic::nvvm_sqrt_rn_f),
                         Intrinsic::ID(Intrinsic::nvvm_sqrt_rn_d)},
                        call->getIntrinsicID());
  return instruction.getOpcode() == Instruction::FDiv ||
         instruction.getOpcode() == Instruction::FRem;
}

/// Returns whether the sum may be fused with a product that others use, and therefore stays.
bool isFusedWithShared(const Instruction &sum) {
  return is_contained({Instruction::FAdd, Instruction::FSub}, sum.getOpcode()) &&
         any_of(sum.operand_values(), [](const Value *value) {
           auto *product = dyn_cast<Instruction>(value);
           return product && product->getOpcode() == Instruction::FMul && !product->hasOneUse();
         });
}

class FunctionWork {
public:
  explicit FunctionWork(Function &function) : function(function) {}

  bool run() {
    bool isChanged = false;
    SmallVector<BasicBlock *> blocks;
    for (BasicBlock &block : function)
      blocks.push_back(&block);
    for (BasicBlock *block : blocks)
      for (BasicBlock *rest = block; rest; isChanged |= rest != nullptr)
        rest = guardFirst(*rest);
    return isChanged;
  }

private:
  using Work = SmallSetVector<Instruction *, 8>;

  /// Guards what the block's first suitable selection needs. Returns the block with the rest, or
  /// null if there is none.
  BasicBlock *guardFirst(BasicBlock &block) {
    for (Instruction &instruction : block) {
      auto *selection = dyn_cast<SelectInst>(&instruction);
      if (!selection || !selection->getCondition()->getType()->isIntegerTy(1))
        continue;
      Work ifTrue = workOf(*selection, selection->getTrueValue());
      Work ifFalse = workOf(*selection, selection->getFalseValue());
      if (!ifTrue.empty() || !ifFalse.empty())
        return guard(*selection, ifTrue, ifFalse);
    }
    return nullptr;
  }

  BasicBlock *originOf(BasicBlock *block) const {
    auto found = origins.find(block);
    return found == origins.end() ? block : found->second;
  }

  /// Returns what of the selection's block only this operand needs, users first, if something of
  /// it is long.
  Work workOf(const SelectInst &selection, Value *operand) const {
    Work work;
    auto add = [&](Value *value) {
      auto *own = dyn_cast<Instruction>(value);
      if (own && own->hasOneUse() && !isa<PHINode>(own) && !own->mayReadOrWriteMemory() &&
          isSafeToSpeculativelyExecute(own) && !isFusedWithShared(*own) &&
          originOf(own->getParent()) == originOf(const_cast<BasicBlock *>(selection.getParent())))
        work.insert(own);
    };
    add(operand);
    for (unsigned index = 0; index < work.size(); ++index)
      for (Value *needed : work[index]->operand_values())
        add(needed);
    if (none_of(work, [](const Instruction *member) { return isLong(*member); }))
      work.clear();
    return work;
  }

  /// Moves the work behind branches, and returns the block with what follows.
  BasicBlock *guard(SelectInst &selection, const Work &ifTrue, const Work &ifFalse) {
    BasicBlock *head = selection.getParent(), *origin = originOf(head);
    Value *condition = selection.getCondition();
    if (!isGuaranteedNotToBeUndefOrPoison(condition))
      condition = new FreezeInst(condition, "", selection.getIterator());
    BasicBlock *whenTrue = ifTrue.empty() ? nullptr : BasicBlock::Create(function.getContext());
    BasicBlock *whenFalse = ifFalse.empty() ? nullptr : BasicBlock::Create(function.getContext());
    BasicBlock *rest = SplitBlock(head, &selection);
    origins[rest] = origin;
    for (auto [block, work] : {std::pair(whenTrue, &ifTrue), std::pair(whenFalse, &ifFalse)}) {
      if (!block)
        continue;
      block->insertInto(&function, rest);
      BranchInst::Create(rest, block);
      for (Instruction *member : *work)
        member->moveBefore(&block->front());
    }
    head->getTerminator()->eraseFromParent();
    BranchInst::Create(whenTrue ? whenTrue : rest, whenFalse ? whenFalse : rest, condition, head);
    auto *result = PHINode::Create(selection.getType(), 2, "", rest->begin());
    result->addIncoming(selection.getTrueValue(), whenTrue ? whenTrue : head);
    result->addIncoming(selection.getFalseValue(), whenFalse ? whenFalse : head);
    result->takeName(&selection);
    selection.replaceAllUsesWith(result);
    selection.eraseFromParent();
    return rest;
  }

  Function &function;
  DenseMap<BasicBlock *, BasicBlock *> origins; ///< the blocks of which others were split off
};
} // namespace

PreservedAnalyses GuardedDivisions::run(Function &function, FunctionAnalysisManager &) {
  return FunctionWork(function).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
