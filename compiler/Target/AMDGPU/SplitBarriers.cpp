//===- SplitBarriers.cpp - Warps of one wave at two barriers --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/SplitBarriers.h"

#include "compiler/Target/AMDGPU/InlineKernels.h"
#include "compiler/Target/AMDGPU/Intrinsics.h"
#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "compiler/Target/AMDGPU/Unavailable.h"
#include "runtime/image/launch_limits.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

const Instruction *barrierIn(const BasicBlock &block) {
  auto barrier = find_if(block, isBarrier);
  return barrier == block.end() ? nullptr : &*barrier;
}

/// Returns a barrier between `from` and `join`; a null `join` is the function's end.
const Instruction *barrierBefore(const BasicBlock &from, const BasicBlock *join) {
  SmallSetVector<const BasicBlock *, 16> reached;
  if (&from != join)
    reached.insert(&from);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (const Instruction *barrier = barrierIn(*reached[i]))
      return barrier;
    for (const BasicBlock *next : successors(reached[i]))
      if (next != join)
        reached.insert(next);
  }
  return nullptr;
}

/// Returns a barrier on one side of a branch that also has barriers on another side, or null.
const Instruction *findSplit(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  PostDominatorTree postDominators(function);
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        !differsInBlock(branch->getOperandUse(0), {dominators, loops}))
      continue;
    auto *node = postDominators.getNode(&block);
    const BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    const Instruction *first = barrierBefore(*branch->getSuccessor(0), join);
    const Instruction *second = barrierBefore(*branch->getSuccessor(1), join);
    if (first && second && first != second)
      return first;
  }
  return nullptr;
}

} // namespace

void findSplitBarriers(const Module &module, ArrayRef<std::string> kernels, const Chip &chip,
                       RefusedKernels &refused) {
  if (chip.waveSize <= warpThreads)
    return;
  std::unique_ptr<Module> copy = inlineKernels(module);
  for (const std::string &symbol : kernels) {
    Function *kernel = copy->getFunction(symbol);
    if (!kernel || kernel->isDeclaration())
      continue;
    if (const Instruction *barrier = findSplit(*kernel))
      refused.try_emplace(
          symbol, Refusal{RefusalKind::DivergentBarrier,
                          "threads of one wave may wait at different barriers at the same time, "
                          "and on this GPU a wave arrives at a barrier as a whole" +
                              placeIn(*kernel, barrier->getDebugLoc())});
  }
}

} // namespace regrain::amdgpu
