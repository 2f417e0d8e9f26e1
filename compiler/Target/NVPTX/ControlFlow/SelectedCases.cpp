//===- SelectedCases.cpp - Short cases of switches ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/SelectedCases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned mostCases = 4;
constexpr unsigned mostSelections = 4;

/// Returns whether the operation is one short instruction, and cannot fault.
bool isCheap(const Instruction &instruction) {
  return instruction.getType()->isIntegerTy() &&
         is_contained({Instruction::Add, Instruction::Sub, Instruction::And, Instruction::Or,
                       Instruction::Xor},
                      instruction.getOpcode());
}

/// One of the ways from a block: the number for which a switch takes it, or null for the way of a
/// branch whose condition is true.
struct Option {
  ConstantInt *number;
  BasicBlock *way;
};

/// Returns the ways of a switch or a conditional branch, without the other one.
SmallVector<Option, mostCases> optionsOf(Instruction &selection) {
  SmallVector<Option, mostCases> options;
  if (auto *branch = dyn_cast<BranchInst>(&selection))
    options.push_back({nullptr, branch->getSuccessor(0)});
  else
    for (auto option : cast<SwitchInst>(selection).cases())
      options.push_back({option.getCaseValue(), option.getCaseSuccessor()});
  return options;
}

BasicBlock *otherwiseOf(Instruction &selection) {
  auto *branch = dyn_cast<BranchInst>(&selection);
  return branch ? branch->getSuccessor(1) : cast<SwitchInst>(selection).getDefaultDest();
}

/// Returns where the block leads, if only `selection` reaches it, and it is at most one cheap
/// operation; otherwise null.
BasicBlock *behind(BasicBlock &block, const Instruction &selection) {
  auto *end = dyn_cast<BranchInst>(block.getTerminator());
  bool isSide = block.getUniquePredecessor() == selection.getParent() && end &&
                end->isUnconditional() && !end->getMetadata(LLVMContext::MD_loop) &&
                !block.hasAddressTaken() && !isa<PHINode>(block.front());
  if (!isSide)
    return nullptr;
  auto operations = drop_end(block.instructionsWithoutDebug());
  bool isShort = hasNItemsOrLess(operations, 1) && all_of(operations, isCheap);
  return isShort ? end->getSuccessor(0) : nullptr;
}

/// The blocks of a selection that are run unconditionally, and the block in which they meet.
struct Cases {
  SmallSetVector<BasicBlock *, mostCases + 1> blocks;
  BasicBlock *join = nullptr;
};

/// Returns the value of `phi` that arrives over `way`.
Value *arriving(const PHINode &phi, BasicBlock *way, const Instruction &selection,
                const Cases &cases) {
  return phi.getIncomingValueForBlock(cases.blocks.contains(way) ? way : selection.getParent());
}

/// Returns whether few results of the cases differ from those of the other way.
bool selectsLittle(Instruction &selection, const Cases &cases) {
  unsigned selections = 0;
  for (PHINode &phi : cases.join->phis()) {
    Value *otherwise = arriving(phi, otherwiseOf(selection), selection, cases);
    for (const Option &option : optionsOf(selection))
      selections += arriving(phi, option.way, selection, cases) != otherwise;
  }
  return selections <= mostSelections;
}

/// Returns whether the ways are so few, and so many of them have an operation, that this is done
/// here. Where one way of a branch has none, LLVM has selected already.
bool isOfCases(Instruction &selection, const Cases &cases) {
  if (auto *choice = dyn_cast<SwitchInst>(&selection))
    return choice->getNumCases() <= mostCases && !cases.blocks.empty();
  return cases.blocks.size() == 2;
}

/// Returns nothing if some case is not short, or if not all lead to the same block.
std::optional<Cases> casesOf(Instruction &selection) {
  Cases cases;
  for (BasicBlock *way : successors(&selection))
    if (behind(*way, selection))
      cases.blocks.insert(way);
  for (BasicBlock *way : successors(&selection)) {
    BasicBlock *next = cases.blocks.contains(way) ? behind(*way, selection) : way;
    if (cases.join && cases.join != next)
      return std::nullopt;
    cases.join = next;
  }
  bool isSmall = isOfCases(selection, cases) && cases.join != selection.getParent() &&
                 !selection.getMetadata(LLVMContext::MD_loop);
  return isSmall && selectsLittle(selection, cases) ? std::optional(std::move(cases))
                                                    : std::nullopt;
}

/// Returns whether the option is taken.
Value *conditionOf(Instruction &selection, const Option &option, IRBuilder<> &builder) {
  if (auto *branch = dyn_cast<BranchInst>(&selection))
    return branch->getCondition();
  return builder.CreateICmpEQ(cast<SwitchInst>(selection).getCondition(), option.number);
}

/// Returns the value of `phi` that arrives over the selection, selected among those of its cases.
Value *select(PHINode &phi, Instruction &selection, const Cases &cases, IRBuilder<> &builder) {
  Value *otherwise = arriving(phi, otherwiseOf(selection), selection, cases);
  Value *selected = otherwise;
  for (const Option &option : optionsOf(selection))
    if (Value *value = arriving(phi, option.way, selection, cases); value != otherwise)
      selected = builder.CreateSelect(conditionOf(selection, option, builder), value, selected);
  return selected;
}

/// Replaces the selection by selected values, and deletes the blocks of its cases.
void flatten(Instruction &selection, const Cases &cases) {
  BasicBlock *head = selection.getParent();
  for (BasicBlock *way : cases.blocks)
    hoistAllInstructionsInto(head, &selection, way); // drops what is true only in the case
  IRBuilder<> builder(&selection);
  for (PHINode &phi : cases.join->phis()) {
    Value *selected = select(phi, selection, cases, builder);
    phi.removeIncomingValueIf([&](unsigned index) { return phi.getIncomingBlock(index) == head; },
                              /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(selected, head);
  }
  builder.CreateBr(cases.join);
  selection.eraseFromParent();
  for (BasicBlock *way : cases.blocks)
    DeleteDeadBlock(way);
}

} // namespace

PreservedAnalyses SelectCases::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *> selections;
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (isa<SwitchInst>(block.getTerminator()) || (branch && branch->isConditional()))
      selections.push_back(block.getTerminator());
  }
  bool changed = false;
  for (Instruction *selection : selections)
    if (std::optional<Cases> cases = casesOf(*selection)) {
      flatten(*selection, *cases);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
