//===- Uniformity.cpp - Values that all threads share ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Uniformity.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

bool isDivergentCall(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return true;
  StringRef name = callee->getName();
  if (name == specialName) {
    auto *which = dyn_cast<ConstantInt>(call.getArgOperand(0));
    return !which || which->getZExtValue() < REGRAIN_BLOCK_SIZE ||
           which->getZExtValue() == REGRAIN_LINEAR_THREAD;
  }
  if (name == sharedBaseName)
    return false;
  if (name == waitName)
    return waitKind(call) >= REGRAIN_WARP_SYNC;
  return !call.doesNotAccessMemory();
}

} // namespace

Uniformity::Uniformity(Function &kernel) : postDominators(kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : kernel) {
      for (Instruction &inst : block)
        if (!divergent.contains(&inst) && isDivergent(inst)) {
          divergent.insert(&inst);
          changed = true;
        }
      if (block.getTerminator()->getNumSuccessors() > 1 &&
          divergent.contains(block.getTerminator()))
        changed |= markBranch(block);
    }
  }
}

bool Uniformity::isDivergent(const Instruction &inst) const {
  if (isa<AllocaInst>(inst) || inst.isAtomic() || inst.isVolatile())
    return true;
  if (isa<PHINode>(inst) && divergentJoins.contains(inst.getParent()))
    return true;
  if (isa<LoadInst>(inst) && divergentBlocks.contains(inst.getParent()))
    return true;
  if (auto *call = dyn_cast<CallInst>(&inst); call && isDivergentCall(*call))
    return true;
  if (callOf(const_cast<Instruction &>(inst), waitName))
    return false; // a reducing barrier gives all threads the same value
  return any_of(inst.operands(),
                [&](const Use &operand) { return divergent.contains(operand.get()); });
}

/// Marks everything between a divergent branch and the place where its sides meet again.
bool Uniformity::markBranch(const BasicBlock &block) {
  auto *node = postDominators.getNode(&block);
  const BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  SmallVector<const BasicBlock *> pending(successors(&block));
  DenseSet<const BasicBlock *> seen;
  bool changed = false;
  while (!pending.empty()) {
    const BasicBlock *next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    changed |= divergentJoins.insert(next).second;
    if (next == join)
      continue;
    changed |= divergentBlocks.insert(next).second;
    append_range(pending, successors(next));
  }
  return changed;
}

} // namespace regrain::cpu
