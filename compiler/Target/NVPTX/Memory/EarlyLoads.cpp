//===- EarlyLoads.cpp - Loads in front of guarded parts -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/EarlyLoads.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/KeptBlocks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned mostBlocks = 4, mostInstructions = 32, mostMoved = 4;

/// A part of the code that threads may skip: the blocks between a condition and where they meet.
struct GuardedPart {
  BasicBlock *condition = nullptr, *behind = nullptr;
  SmallSetVector<BasicBlock *, mostBlocks> blocks;
};

/// Returns whether each thread that comes to the block leaves it, and waits for no other there.
bool isPassed(const BasicBlock &block) {
  return all_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return isGuaranteedToTransferExecutionToSuccessor(&instruction) && !instruction.isVolatile() &&
           !instruction.isAtomic() && !(call && call->isConvergent());
  });
}

class Mover {
public:
  Mover(Function &function, FunctionAnalysisManager &analyses)
      : isKernel(annotation(function, "kernel") == 1),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(function)),
        loops(analyses.getResult<LoopAnalysis>(function)),
        aliases(analyses.getResult<AAManager>(function)) {}

  bool moveInto(BasicBlock &behind) {
    GuardedPart part;
    part.behind = &behind;
    if (!find(part))
      return false;
    unsigned moved = 0;
    for (Instruction &instruction : make_early_inc_range(behind)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && moved < mostMoved && move(*load, part))
        ++moved;
      else if (instruction.mayWriteToMemory() || !isPassedBy(instruction))
        break;
    }
    return moved;
  }

private:
  static bool isPassedBy(const Instruction &instruction) {
    return isGuaranteedToTransferExecutionToSuccessor(&instruction);
  }

  /// Finds the part in front of `part.behind`, if it is small, has no loop, and loads.
  bool find(GuardedPart &part) const {
    BasicBlock *behind = part.behind;
    const DomTreeNode *node = dominators.getNode(behind);
    if (behind->hasNPredecessors(1) || !node || !node->getIDom())
      return false;
    part.condition = node->getIDom()->getBlock();
    if (!postDominators.dominates(behind, part.condition) ||
        loops.getLoopFor(behind) != loops.getLoopFor(part.condition) || loops.isLoopHeader(behind))
      return false;
    SmallVector<BasicBlock *> open(predecessors(behind));
    unsigned instructions = 0;
    bool loads = false;
    while (!open.empty()) {
      BasicBlock *block = open.pop_back_val();
      if (block == part.condition || !part.blocks.insert(block))
        continue;
      instructions += block->size();
      if (part.blocks.size() > mostBlocks || instructions > mostInstructions || !isPassed(*block) ||
          loops.getLoopFor(block))
        return false;
      loads |= any_of(*block, [](const Instruction &one) { return isa<LoadInst>(one); });
      append_range(open, predecessors(block));
    }
    return loads;
  }

  /// Returns whether the instruction may change what the load returns. A kernel's arguments do not
  /// point to memory of its blocks or threads.
  bool mayChange(Instruction &instruction, const LoadInst &load) const {
    if (!instruction.mayWriteToMemory())
      return false;
    auto *store = dyn_cast<StoreInst>(&instruction);
    bool isOwn = store && (store->getPointerAddressSpace() == sharedSpace ||
                           store->getPointerAddressSpace() == localSpace);
    if (isOwn && isKernel && isa<Argument>(getUnderlyingObject(load.getPointerOperand())))
      return false;
    return isModSet(aliases.getModRefInfo(&instruction, MemoryLocation::get(&load)));
  }

  /// Moves the load and what computes its address in front of the condition.
  bool move(LoadInst &load, const GuardedPart &part) {
    unsigned space = load.getPointerAddressSpace();
    if (!load.isSimple() || space == sharedSpace || space == localSpace || space == constantSpace)
      return false;
    SmallSetVector<Instruction *, 8> needed;
    if (!collect(load, part, needed))
      return false;
    for (BasicBlock *block : part.blocks)
      if (any_of(*block, [&](Instruction &one) { return mayChange(one, load); }))
        return false;
    for (Instruction *instruction : needed)
      instruction->moveBefore(part.condition->getTerminator());
    return true;
  }

  /// Collects the instruction and what it needs that does not stand in front of the condition, in
  /// order. Nothing of it may be a load, or depend on which way was taken.
  bool collect(Instruction &instruction, const GuardedPart &part,
               SmallSetVector<Instruction *, 8> &needed) const {
    for (Value *operand : instruction.operands()) {
      auto *value = dyn_cast<Instruction>(operand);
      if (!value || dominators.dominates(value->getParent(), part.condition))
        continue;
      if (value->getParent() != part.behind || isa<PHINode>(value) ||
          value->mayReadOrWriteMemory() || isa<CallBase>(value) || !collect(*value, part, needed))
        return false;
    }
    constexpr unsigned mostNeeded = 8;
    needed.insert(&instruction);
    return needed.size() <= mostNeeded;
  }

  bool isKernel;
  const DominatorTree &dominators;
  const PostDominatorTree &postDominators;
  const LoopInfo &loops;
  AAResults &aliases;
};

} // namespace

PreservedAnalyses EarlyLoads::run(Function &function, FunctionAnalysisManager &analyses) {
  Mover mover(function, analyses);
  bool isChanged = false;
  for (BasicBlock &block : function)
    isChanged |= mover.moveInto(block);
  return preservedWithBlocks(isChanged);
}

} // namespace regrain::nvptx
