//===- SelectedDoubles.cpp - Doubles that a condition changes -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/SelectedDoubles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the value is one instruction of the machine, in the block of the selection, that
/// nothing else needs.
bool isForSelectionOnly(const Value &value, const SelectInst &selection) {
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !instruction->hasOneUse() ||
      instruction->getParent() != selection.getParent())
    return false;
  auto *intrinsic = dyn_cast<IntrinsicInst>(instruction);
  return is_contained({Instruction::FAdd, Instruction::FSub, Instruction::FMul},
                      instruction->getOpcode()) ||
         (intrinsic &&
          is_contained({Intrinsic::fma, Intrinsic::fmuladd}, intrinsic->getIntrinsicID()));
}

/// Puts the operand of the selection behind a branch that the others pass by.
void branchOver(SelectInst &selection, bool isTrue) {
  auto *result = cast<Instruction>(isTrue ? selection.getTrueValue() : selection.getFalseValue());
  Value *other = isTrue ? selection.getFalseValue() : selection.getTrueValue();
  IRBuilder<> builder(&selection);
  // A branch by poison is not defined, where a selection by it is poison.
  Value *condition = builder.CreateFreeze(selection.getCondition());
  if (!isTrue)
    condition = builder.CreateNot(condition);
  BasicBlock *before = selection.getParent();
  Instruction *end = SplitBlockAndInsertIfThen(condition, selection.getIterator(),
                                               /*Unreachable=*/false);
  result->moveBefore(end);
  PHINode *chosen = PHINode::Create(selection.getType(), 2, "", selection.getIterator());
  chosen->addIncoming(result, end->getParent());
  chosen->addIncoming(other, before);
  chosen->takeName(&selection);
  selection.replaceAllUsesWith(chosen);
  selection.eraseFromParent();
}

} // namespace

bool branchOverDoubles(Function &function) {
  SmallVector<SelectInst *> selections;
  for (Instruction &instruction : instructions(function))
    if (auto *selection = dyn_cast<SelectInst>(&instruction);
        selection && selection->getType()->isDoubleTy() &&
        selection->getCondition()->getType()->isIntegerTy(1))
      selections.push_back(selection);
  bool isChanged = false;
  // From the end, so that what a selection needs is in its block when it is looked at.
  for (SelectInst *selection : reverse(selections)) {
    bool isTrue = isForSelectionOnly(*selection->getTrueValue(), *selection);
    if (!isTrue && !isForSelectionOnly(*selection->getFalseValue(), *selection))
      continue;
    branchOver(*selection, isTrue);
    isChanged = true;
  }
  return isChanged;
}

namespace {

/// Other than LateRewrite, this changes the flow.
class BranchOverDoubles final : public FunctionPass {
public:
  static char ID;
  BranchOverDoubles() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addPreserved<StackProtector>();
  }
  bool runOnFunction(Function &function) override { return branchOverDoubles(function); }
};

char BranchOverDoubles::ID = 0;

} // namespace

FunctionPass *createBranchOverDoubles() { return new BranchOverDoubles(); }

} // namespace regrain::nvptx
