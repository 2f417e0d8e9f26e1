//===- SplitJoins.cpp - Fewer points where threads meet -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/SplitJoins.h"

#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned mostCopied = 6, mostLoadsCopied = 1;

/// Returns where the block always goes on, if that is a block with other ways to it, and no loop
/// begins there.
BasicBlock *nextMeeting(BasicBlock &join, const DominatorTree &dominators) {
  auto *branch = dyn_cast<BranchInst>(join.getTerminator());
  BasicBlock *next = branch && branch->isUnconditional() ? branch->getSuccessor(0) : nullptr;
  return next && !next->hasNPredecessors(1) && !dominators.dominates(next, &join) ? next : nullptr;
}

/// Returns whether the block has few instructions, all of which a thread may run without the
/// others, and nothing behind it needs them but values that meet others in `next`.
bool isCopied(const BasicBlock &join, const BasicBlock &next) {
  unsigned copied = 0, loads = 0;
  for (const Instruction &instruction : join.instructionsWithoutDebug()) {
    for (const Use &use : instruction.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      bool meets = phi && phi->getParent() == &next && phi->getIncomingBlock(use) == &join;
      if (user->getParent() != &join && !meets)
        return false;
    }
    if (isa<PHINode>(instruction) || instruction.isTerminator())
      continue;
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (isa<AllocaInst>(instruction) ||
        (load ? !load->isSimple() : instruction.mayReadOrWriteMemory()))
      return false;
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isConvergent())
      return false;
    ++copied;
    loads += load != nullptr;
  }
  return copied && copied <= mostCopied && loads <= mostLoadsCopied;
}

bool loads(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) { return isa<LoadInst>(instruction); });
}

/// Returns whether the two blocks in front lead nowhere else, come from one where threads of a warp
/// may part, and both load.
bool haveParted(BasicBlock &join, const BasicBlocks &partings) {
  if (!join.hasNPredecessors(2))
    return false;
  const BasicBlock *parting = nullptr;
  for (BasicBlock *side : predecessors(&join)) {
    BasicBlock *before = side->getSinglePredecessor();
    if (side->getSingleSuccessor() != &join || !before || (parting && before != parting) ||
        !loads(*side))
      return false;
    parting = before;
  }
  return partings.contains(parting);
}

/// Moves a copy of the instructions to the end of `side`, which then leads to `next`.
void copyInto(BasicBlock &side, BasicBlock &join, BasicBlock &next) {
  ValueToValueMapTy copies;
  for (PHINode &phi : join.phis())
    copies[&phi] = phi.getIncomingValueForBlock(&side);
  Instruction *end = side.getTerminator();
  for (Instruction &instruction : join) {
    if (isa<PHINode>(instruction) || instruction.isTerminator())
      continue;
    Instruction *copy = instruction.clone();
    copy->setName(instruction.getName());
    copy->insertBefore(end);
    RemapInstruction(copy, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    copies[&instruction] = copy;
  }
  end->setSuccessor(0, &next);
  for (PHINode &phi : next.phis()) {
    Value *value = phi.getIncomingValueForBlock(&join);
    if (Value *copy = copies.lookup(value))
      value = copy;
    phi.addIncoming(value, &side);
  }
}

} // namespace

PreservedAnalyses SplitJoins::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  MapVector<BasicBlock *, BasicBlock *> found; // and where it goes on
  BasicBlocks partings;
  for (BasicBlock &join : function)
    if (BasicBlock *next = nextMeeting(join, dominators);
        next && join.hasNPredecessors(2) && isCopied(join, *next)) {
      if (partings.empty())
        partings = findPartings(function);
      if (haveParted(join, partings))
        found.insert({&join, next});
    }
  found.remove_if([&](const auto &one) { return found.contains(one.second); });
  for (auto [join, next] : found) {
    for (BasicBlock *side : to_vector(predecessors(join)))
      copyInto(*side, *join, *next);
    for (PHINode &phi : next->phis())
      phi.removeIncomingValue(join, /*DeletePHIIfEmpty=*/false);
    join->dropAllReferences();
    join->eraseFromParent();
  }
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace regrain::nvptx
