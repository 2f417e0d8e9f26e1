//===- SpinLoops.cpp - Loops that wait for another thread -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/SpinLoops.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace regrain::cpu {

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
                   const SmallPtrSet<const Value *, 4> &updated) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return (load->isVolatile() || load->isAtomic()) &&
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

/// True if a branch or select in the loop depends on a read that waits.
bool mayWait(const Loop &loop) {
  SmallPtrSet<const Value *, 4> updated = updatedAddresses(loop);
  SmallSetVector<const Instruction *, 32> reached;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (isWaitingRead(inst, loop, updated))
        reached.insert(&inst);
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

SmallVector<Loop *> waitingLoops(LoopInfo &loops) {
  SmallVector<Loop *> result;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (mayWait(*loop))
      result.push_back(loop);
  return result;
}

} // namespace

bool mayWaitInLoop(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return !waitingLoops(loops).empty();
}

void insertYields(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  SmallSetVector<BasicBlock *, 8> latches;
  for (Loop *loop : waitingLoops(loops)) {
    SmallVector<BasicBlock *, 4> blocks;
    loop->getLoopLatches(blocks);
    latches.insert(blocks.begin(), blocks.end());
  }
  FunctionCallee wait = waitFunction(*function.getParent());
  for (BasicBlock *latch : latches) {
    IRBuilder<> builder(latch->getTerminator());
    Value *zero = builder.getInt32(0);
    builder.CreateCall(wait,
                       {builder.getInt32(REGRAIN_YIELDED), zero, builder.getInt64(0), zero, zero});
  }
}

} // namespace regrain::cpu
