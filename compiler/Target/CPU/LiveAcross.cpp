//===- LiveAcross.cpp - Values that live across regions -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/LiveAcross.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// A value that takes more operations than this is not computed again.
constexpr unsigned mostOperations = 32;

bool isCheap(const Instruction &inst) {
  if (inst.getType()->isFPOrFPVectorTy())
    return false;
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(inst);
}

using Blocks = SmallPtrSet<const BasicBlock *, 32>;

/// Returns `blocks` and what is reached from them by `next`: successors or predecessors.
template <typename Next> Blocks closure(const Blocks &blocks, Next next) {
  Blocks seen;
  SmallVector<const BasicBlock *> pending(blocks.begin(), blocks.end());
  while (!pending.empty()) {
    const BasicBlock *block = pending.pop_back_val();
    if (seen.insert(block).second)
      append_range(pending, next(block));
  }
  return seen;
}

/// Finds the blocks that use the memory of an alloca; returns false if its address escapes.
bool blocksUsing(const Value &pointer, SmallPtrSetImpl<const Value *> &seen, Blocks &blocks) {
  if (!seen.insert(&pointer).second)
    return true;
  return all_of(pointer.uses(), [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    blocks.insert(user->getParent());
    if (isa<LoadInst>(user) || isa<MemIntrinsic>(user) || user->isLifetimeStartOrEnd())
      return true;
    if (auto *store = dyn_cast<StoreInst>(user))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             store->getPointerOperand() == &pointer;
    if (isa<GetElementPtrInst, PHINode, SelectInst, CastInst>(user))
      return blocksUsing(*user, seen, blocks);
    return false;
  });
}

} // namespace

LiveAcross::LiveAcross(Function &kernel, ArrayRef<Region> regions, const Uniformity *uniformity)
    : uniformity(uniformity) {
  findRecomputed(kernel);
  findLive(kernel, regions);
  findKept(kernel, regions);
}

bool LiveAcross::isUniform(const Instruction *inst) const {
  return uniformity && uniformity->isUniform(inst) && uniformity->isUniform(inst->getParent());
}

void LiveAcross::findRecomputed(Function &kernel) {
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel))
    for (Instruction &inst : *block) {
      if (callOf(inst, specialName) || callOf(inst, sharedBaseName)) {
        recomputed[&inst] = 1;
        continue;
      }
      if (!isCheap(inst))
        continue;
      unsigned cost = 1;
      bool possible = true;
      for (Value *operand : inst.operands()) {
        auto *defined = dyn_cast<Instruction>(operand);
        if (!defined)
          continue;
        if (auto entry = recomputed.find(defined); entry != recomputed.end())
          cost += entry->second;
        else
          possible &= isUniform(defined);
      }
      if (possible && cost <= mostOperations)
        recomputed[&inst] = cost;
    }
}

/// Adds a use. A use of a value that is computed again is a use of its operands.
void LiveAcross::addUse(Value *value, BitVector &set) const {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || isa<AllocaInst>(inst))
    return;
  set.set(numbers.lookup(inst));
  if (isRecomputed(inst))
    for (Value *operand : inst->operands())
      addUse(operand, set);
}

bool LiveAcross::updateLive(BasicBlock &block) {
  BitVector set(values.size());
  for (BasicBlock *successor : successors(&block)) {
    set |= liveIn[successor];
    for (PHINode &phi : successor->phis())
      addUse(phi.getIncomingValueForBlock(&block), set);
  }
  for (Instruction &inst : reverse(block)) {
    if (!inst.getType()->isVoidTy())
      set.reset(numbers.lookup(&inst));
    if (!isa<PHINode>(inst))
      for (Value *operand : inst.operands())
        addUse(operand, set);
  }
  if (set == liveIn[&block])
    return false;
  liveIn[&block] = set;
  return true;
}

void LiveAcross::findLive(Function &kernel, ArrayRef<Region> regions) {
  for (Instruction &inst : instructions(kernel)) {
    numbers[&inst] = values.size();
    values.push_back(&inst);
  }
  for (BasicBlock &block : kernel)
    liveIn[&block].resize(values.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : post_order(&kernel))
      changed |= updateLive(*block);
  }
  for (const Region &region : regions) {
    SmallVector<Instruction *> &list = live[region.start];
    for (unsigned index : liveIn[region.start].set_bits())
      list.push_back(values[index]);
  }
}

void LiveAcross::findKept(Function &kernel, ArrayRef<Region> regions) {
  for (Instruction &inst : kernel.getEntryBlock()) {
    auto *alloca = dyn_cast<AllocaInst>(&inst);
    if (!alloca)
      continue;
    SmallPtrSet<const Value *, 8> seen;
    Blocks blocks;
    bool escapes = !blocksUsing(*alloca, seen, blocks);
    Blocks after = closure(blocks, [](const BasicBlock *block) { return successors(block); });
    Blocks before = closure(blocks, [](const BasicBlock *block) { return predecessors(block); });
    if (any_of(ArrayRef(regions).drop_front(), [&](const Region &region) {
          return escapes || (after.contains(region.start) && before.contains(region.start));
        }))
      kept.insert(alloca);
  }
}

} // namespace regrain::cpu
