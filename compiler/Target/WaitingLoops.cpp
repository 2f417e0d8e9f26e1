//===- WaitingLoops.cpp - Loops that wait for another thread --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/WaitingLoops.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain {

namespace {

bool isInvariant(const Value *value, const Loop &loop, unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !loop.contains(inst))
    return true;
  if (depth > 16 || isa<PHINode>(inst) || inst->mayReadOrWriteMemory())
    return false;
  return all_of(inst->operands(),
                [&](const Use &operand) { return isInvariant(operand, loop, depth + 1); });
}

} // namespace

bool changesNothing(const AtomicRMWInst &inst) {
  auto *operand = dyn_cast<ConstantInt>(inst.getValOperand());
  if (!operand)
    return false;
  switch (inst.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return operand->isZero();
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return operand->isMinusOne();
  default:
    return false;
  }
}

namespace {

/// The addresses that the loop updates by compare-exchange against what it read.
SmallPtrSet<const Value *, 4> updatedAddresses(const Loop &loop) {
  SmallPtrSet<const Value *, 4> addresses;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
        if (!isInvariant(exchange->getCompareOperand(), loop))
          addresses.insert(exchange->getPointerOperand());
  return addresses;
}

bool isWaitingRead(const Instruction &inst, const Loop &loop,
                   const SmallPtrSet<const Value *, 4> &updated, bool readsAnew) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return !load->hasMetadata(LLVMContext::MD_invariant_load) &&
           (load->isVolatile() || load->isAtomic() || readsAnew) &&
           isInvariant(load->getPointerOperand(), loop) &&
           !updated.contains(load->getPointerOperand());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return isInvariant(exchange->getPointerOperand(), loop) &&
           isInvariant(exchange->getCompareOperand(), loop);
  if (auto *binary = dyn_cast<AtomicRMWInst>(&inst))
    return isInvariant(binary->getPointerOperand(), loop) &&
           (binary->getOperation() == AtomicRMWInst::Xchg || changesNothing(*binary));
  return false;
}

/// Whether plain loads of the loop see what others write meanwhile.
bool isFenced(const Loop &loop) {
  bool fenced = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      if (auto *fence = dyn_cast<FenceInst>(&inst))
        fenced |= fence->getSyncScopeID() != SyncScope::SingleThread;
      if (auto *call = dyn_cast<IntrinsicInst>(&inst))
        if (call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier)
          return false;
    }
  return fenced;
}

/// Whether a branch or select in the loop depends on `read`.
bool decides(Instruction &read, const Loop &loop) {
  SmallSetVector<const Instruction *, 32> reached;
  reached.insert(&read);
  for (size_t i = 0; i < reached.size(); ++i)
    for (const User *user : reached[i]->users()) {
      auto *inst = dyn_cast<Instruction>(user);
      if (!inst || !loop.contains(inst))
        continue;
      if (inst->isTerminator())
        return true;
      if (!isa<StoreInst>(inst))
        reached.insert(inst);
    }
  return false;
}

} // namespace

SmallVector<Instruction *> waitingReads(const Loop &loop) {
  SmallPtrSet<const Value *, 4> updated = updatedAddresses(loop);
  bool fenced = isFenced(loop);
  SmallVector<Instruction *> reads;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (isWaitingRead(inst, loop, updated, fenced) && decides(inst, loop))
        reads.push_back(&inst);
  return reads;
}

SmallVector<Loop *> waitingLoops(LoopInfo &loops) {
  SmallVector<Loop *> result;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (!waitingReads(*loop).empty())
      result.push_back(loop);
  return result;
}

} // namespace regrain
