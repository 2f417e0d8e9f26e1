//===- JoinedConditions.cpp - One branch for two conditions ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/JoinedConditions.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned mostOperations = 4;
/// More than a block of so few operations has with its comparisons and conversions.
constexpr unsigned mostInstructions = 16;

/// Returns whether the block has only so few short operations, of integers, in front of its branch.
/// Comparisons and conversions of integers are not counted: they have no instructions of their own,
/// or go together with others.
bool isShort(const BasicBlock &block) {
  unsigned operations = 0;
  for (const Instruction &instruction : block.instructionsWithoutDebug()) {
    if (instruction.isTerminator() || instruction.getType()->isIntegerTy(1))
      continue;
    if (!instruction.getType()->isIntOrPtrTy() || instruction.mayReadOrWriteMemory() ||
        isa<CallBase>(instruction) || instruction.isIntDivRem())
      return false;
    operations += !isa<CastInst>(instruction);
  }
  return operations <= mostOperations;
}

/// Whether a block can be joined with the one in front of it, which also leads to one of its ends,
/// with the same values.
bool isSecondCondition(BasicBlock &block) {
  BasicBlock *before = block.getSinglePredecessor();
  auto *first = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!first || !first->isConditional() || isa<PHINode>(block.front()))
    return false;
  BasicBlock *end = first->getSuccessor(first->getSuccessor(0) == &block);
  auto *condition = dyn_cast<Instruction>(block.getTerminator()->getOperand(0));
  return end != &block && is_contained(successors(&block), end) && condition &&
         condition->getParent() == &block && condition->hasOneUse() &&
         all_of(end->phis(), [&](const PHINode &phi) {
           return phi.getIncomingValueForBlock(before) == phi.getIncomingValueForBlock(&block);
         });
}

/// Moves what code behind both conditions uses in front of the first one. LLVM joins conditions
/// only if nothing is used like this.
bool moveUsedBehind(BasicBlock &block) {
  SmallPtrSet<const Instruction *, 8> moved;
  for (Instruction &instruction : reverse(block))
    if (any_of(instruction.users(), [&](const User *user) {
          auto *inst = cast<Instruction>(user);
          return inst->getParent() != &block || moved.contains(inst);
        }))
      moved.insert(&instruction);
  if (!all_of(moved, [](const Instruction *instruction) {
        return isSafeToSpeculativelyExecute(instruction) && !instruction->mayReadOrWriteMemory();
      }))
    return false;
  Instruction *first = block.getSinglePredecessor()->getTerminator();
  for (Instruction &instruction : make_early_inc_range(block))
    if (moved.contains(&instruction))
      instruction.moveBefore(first);
  return !moved.empty();
}

} // namespace

PreservedAnalyses JoinConditions::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &target = analyses.getResult<TargetIRAnalysis>(function);
  bool isChanged = false;
  for (BasicBlock &block : function)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isConditional() && isShort(block)) {
      isChanged |= isSecondCondition(block) && moveUsedBehind(block);
      isChanged |= FoldBranchToCommonDest(branch, nullptr, nullptr, &target, mostInstructions);
    }
  if (!isChanged)
    return PreservedAnalyses::all();
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

} // namespace regrain::nvptx
