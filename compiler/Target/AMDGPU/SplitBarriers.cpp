//===- SplitBarriers.cpp - Warps of one wave at two barriers --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/SplitBarriers.h"

#include "compiler/Target/AMDGPU/Intrinsics.h"
#include "compiler/Target/AMDGPU/Unavailable.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

constexpr unsigned warpSize = 32;

const Instruction *barrierIn(const BasicBlock &block) {
  auto barrier = find_if(block, isBarrier);
  return barrier == block.end() ? nullptr : &*barrier;
}

/// Whether `value` is computed from the thread's place in the block alone, so that it
/// differs in every launch. What is read from memory may be the same for all threads, and
/// is where the program keeps CUDA's rule.
bool isOfThread(const Value &value, SmallPtrSetImpl<const Value *> &seen) {
  auto *inst = dyn_cast<Instruction>(&value);
  if (!inst || !seen.insert(inst).second)
    return false;
  if (auto *call = dyn_cast<IntrinsicInst>(inst))
    switch (call->getIntrinsicID()) {
    case Intrinsic::amdgcn_workitem_id_x:
    case Intrinsic::amdgcn_workitem_id_y:
    case Intrinsic::amdgcn_workitem_id_z:
    case Intrinsic::amdgcn_mbcnt_lo:
    case Intrinsic::amdgcn_mbcnt_hi:
      return true;
    default:
      break;
    }
  return !inst->mayReadFromMemory() &&
         any_of(inst->operands(), [&](const Use &operand) { return isOfThread(*operand, seen); });
}

/// A barrier between `from` and `join`, which may be null: the function's end.
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

/// A barrier on one side of a branch that has others on another, null where there is none.
const Instruction *findSplit(Function &function) {
  PostDominatorTree postDominators(function);
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    SmallPtrSet<const Value *, 16> seen;
    if (!branch || !branch->isConditional() || !isOfThread(*branch->getCondition(), seen))
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

void findSplitBarriers(Module &module, ArrayRef<std::string> kernels, const Chip &chip,
                       MissingReasons &missing) {
  if (chip.waveSize <= warpSize)
    return;
  for (const std::string &symbol : kernels) {
    Function *kernel = module.getFunction(symbol);
    if (!kernel || kernel->isDeclaration())
      continue;
    if (const Instruction *barrier = findSplit(*kernel))
      missing.try_emplace(
          symbol, Obstacle{RefusalKind::DivergentBarrier,
                           "threads of one wave may meet at different barriers, and a wave arrives "
                           "as a whole" +
                               placeOf(placeIn(*kernel, barrier->getDebugLoc()))});
  }
}

} // namespace regrain::amdgpu
