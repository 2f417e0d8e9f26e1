//===- SelectedCases.cpp - Short cases of switches ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/SelectedCases.h"

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

/// Returns where the block leads, if only `selection` reaches it, and it is at most one cheap
/// operation; otherwise null.
BasicBlock *behind(BasicBlock &block, const SwitchInst &selection) {
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

/// The blocks of a switch that are run unconditionally, and the block in which they meet.
struct Cases {
  SmallSetVector<BasicBlock *, mostCases + 1> blocks;
  BasicBlock *join = nullptr;
};

/// Returns the value of `phi` that arrives over `way`.
Value *arriving(const PHINode &phi, BasicBlock *way, const SwitchInst &selection,
                const Cases &cases) {
  return phi.getIncomingValueForBlock(cases.blocks.contains(way) ? way : selection.getParent());
}

/// Returns whether few results of the cases differ from those of the default.
bool selectsLittle(SwitchInst &selection, const Cases &cases) {
  unsigned selections = 0;
  for (PHINode &phi : cases.join->phis()) {
    Value *otherwise = arriving(phi, selection.getDefaultDest(), selection, cases);
    for (auto option : selection.cases())
      selections += arriving(phi, option.getCaseSuccessor(), selection, cases) != otherwise;
  }
  return selections <= mostSelections;
}

/// Returns nothing if some case is not short, or if not all lead to the same block.
std::optional<Cases> casesOf(SwitchInst &selection) {
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
  bool isSmall = selection.getNumCases() <= mostCases && !cases.blocks.empty() &&
                 cases.join != selection.getParent() &&
                 !selection.getMetadata(LLVMContext::MD_loop);
  return isSmall && selectsLittle(selection, cases) ? std::optional(std::move(cases))
                                                    : std::nullopt;
}

/// Returns the value of `phi` that arrives over the switch, selected among those of its cases.
Value *select(PHINode &phi, SwitchInst &selection, const Cases &cases, IRBuilder<> &builder) {
  Value *otherwise = arriving(phi, selection.getDefaultDest(), selection, cases);
  Value *selected = otherwise;
  for (auto option : selection.cases())
    if (Value *value = arriving(phi, option.getCaseSuccessor(), selection, cases);
        value != otherwise) {
      Value *isCase = builder.CreateICmpEQ(selection.getCondition(), option.getCaseValue());
      selected = builder.CreateSelect(isCase, value, selected);
    }
  return selected;
}

/// Replaces the switch by selections, and deletes the blocks of its cases.
void flatten(SwitchInst &selection, const Cases &cases) {
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
  SmallVector<SwitchInst *> switches;
  for (BasicBlock &block : function)
    if (auto *selection = dyn_cast<SwitchInst>(block.getTerminator()))
      switches.push_back(selection);
  bool changed = false;
  for (SwitchInst *selection : switches)
    if (std::optional<Cases> cases = casesOf(*selection)) {
      flatten(*selection, *cases);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
