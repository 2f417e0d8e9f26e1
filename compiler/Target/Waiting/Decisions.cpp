//===- Decisions.cpp - What decides a loop's iteration count --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Waiting/Decisions.h"

#include "compiler/Target/Waiting/OwnProgress.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::waiting {

Decisions::Decisions(Loop &loop, const DominatorTree &dominators, PostDominatorTree &postDominators,
                     ScalarEvolution &evolution, const Machine &machine)
    : loop(loop), dominators(dominators), postDominators(postDominators), evolution(evolution),
      machine(machine) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty())
    involve(Partners::All);
  for (BasicBlock *block : exiting)
    addExit(*block);
  while (!pending.empty()) {
    auto [inst, part] = pending.pop_back_val();
    visit(*inst, part);
  }
}

void Decisions::addExit(BasicBlock &block) {
  if (!exits.insert(&block).second)
    return;
  addControl(block);
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch && branch->isConditional())
    return addCondition(*branch->getCondition(), loop.contains(branch->getSuccessor(0)));
  addOperands(*block.getTerminator(), Part::Decides);
}

/// Adds a condition; if it combines several comparisons, each decides by itself.
void Decisions::addCondition(Value &condition, bool stays) {
  Value *left, *right;
  if (match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
      match(&condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    addCondition(*left, stays);
    addCondition(*right, stays);
  } else if (match(&condition, m_Not(m_Value(left)))) {
    addCondition(*left, !stays);
  } else if (auto counted = countedExit(condition, stays, loop, dominators, evolution, machine)) {
    add(counted->limit, Part::Limit);
  } else {
    add(&condition, Part::Decides);
  }
}

/// Adds the branches of the loop that decide whether `block` is reached.
void Decisions::addControl(BasicBlock &block) {
  if (!controlled.insert(&block).second)
    return;
  SmallPtrSet<BasicBlock *, 1> target = {&block};
  ReverseIDFCalculator control(postDominators);
  control.setDefiningBlocks(target);
  SmallVector<BasicBlock *> branches;
  control.calculate(branches);
  for (BasicBlock *branch : branches) {
    if (!loop.contains(branch))
      continue;
    if (loop.isLoopExiting(branch))
      addExit(*branch);
    else
      addOperands(*branch->getTerminator(), Part::Decides);
  }
}

void Decisions::add(Value *value, Part part) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !loop.contains(inst) || deciding.contains(inst))
    return;
  if ((part == Part::Decides ? deciding : limits).insert(inst).second)
    pending.push_back({inst, part});
}

void Decisions::addOperands(const Instruction &inst, Part part) {
  for (const Use &operand : inst.operands())
    if (!isa<BasicBlock>(operand))
      add(operand, part);
}

void Decisions::hear(Instruction &inst, Partners partners) {
  involve(partners);
  if (partners != Partners::None)
    deciders.insert(&inst);
}

void Decisions::visit(Instruction &inst, Part part) {
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return visitPhi(*phi, part);
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return visitLoad(*load, part);
  if (auto *call = dyn_cast<CallBase>(&inst))
    return visitCall(*call, part);
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    hear(inst, machine.partnersAt(*update->getPointerOperand()));
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    hear(inst, machine.partnersAt(*exchange->getPointerOperand()));
  else if (inst.mayReadFromMemory())
    hear(inst, Partners::All);
  addOperands(inst, part);
}

void Decisions::visitPhi(PHINode &phi, Part part) {
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    BasicBlock *from = phi.getIncomingBlock(i);
    if (!loop.contains(from))
      continue;
    add(phi.getIncomingValue(i), part);
    addControl(*from);
    if (loop.isLoopExiting(from))
      addExit(*from);
    else
      addOperands(*from->getTerminator(), Part::Decides);
  }
}

void Decisions::visitLoad(LoadInst &load, Part part) {
  const Value *pointer = load.getPointerOperand();
  add(const_cast<Value *>(pointer), part);
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return;
  const Value *object = getUnderlyingObject(pointer, 0);
  auto *global = dyn_cast<GlobalVariable>(object);
  if (global && global->isConstant())
    return;
  auto *variable = dyn_cast<AllocaInst>(object);
  if (variable && !PointerMayBeCaptured(variable, /*ReturnCaptures=*/true, /*StoreCaptures=*/true))
    return addStores(*variable, part);
  if (part == Part::Decides || load.isVolatile() || load.isAtomic())
    hear(load, variable ? Partners::All : machine.partnersAt(*pointer));
}

/// Adds what the loop writes to a local variable of the thread.
void Decisions::addStores(const AllocaInst &variable, Part part) {
  SmallVector<const Value *> addresses = {&variable};
  SmallPtrSet<const Value *, 8> seen = {&variable};
  while (!addresses.empty())
    for (const User *user : addresses.pop_back_val()->users()) {
      auto *inst = cast<Instruction>(user);
      if (inst->getType()->isPointerTy() && !isa<LoadInst>(inst) && seen.insert(inst).second)
        addresses.push_back(inst);
      if (!loop.contains(inst) || !inst->mayWriteToMemory())
        continue;
      if (isa<CallBase>(inst) && !inst->isLifetimeStartOrEnd())
        hear(*const_cast<Instruction *>(inst), Partners::All); // copied from elsewhere
      addOperands(*inst, part);
      addControl(*const_cast<BasicBlock *>(inst->getParent()));
    }
}

void Decisions::visitCall(CallBase &call, Part part) {
  addOperands(call, part);
  const Function *callee = call.getCalledFunction();
  if (machine.isMeeting(call)) {
    involve(Partners::Block);
    // The threads that meet here may come from other calls of the loop.
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block)
        if (machine.isMeeting(inst)) {
          addOperands(inst, part);
          addControl(*block);
        }
    return;
  }
  bool isOwn = call.doesNotAccessMemory() ||
               (callee && callee->isDeclaration() && machine.partnersOf(call) == Partners::None);
  if (!isOwn)
    hear(call, Partners::All);
}

} // namespace regrain::waiting
