//===- Polls.cpp - Plain loads that threads poll --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/Polls.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/PtxText.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using regrain::nvptx::isFence;

bool regrain::nvptx::isFence(const Instruction &inst) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) {
    Intrinsic::ID id = intrinsic->getIntrinsicID();
    return id == Intrinsic::nvvm_membar_cta || id == Intrinsic::nvvm_membar_gl ||
           id == Intrinsic::nvvm_membar_sys;
  }
  auto *call = dyn_cast<CallBase>(&inst);
  auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!assembly)
    return isa<FenceInst>(inst);
  return any_of(regrain::ptx::opcodesOf(assembly->getAsmString()), [](StringRef opcode) {
    return opcode.contains("membar") || opcode.contains("fence");
  });
}

/// Returns the step if the value is a number that the loop changes by the same one in each
/// iteration.
static const Value *stepOf(const Value *value, const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  auto *phi = dyn_cast<PHINode>(value);
  if (latch && phi && phi->getParent() == loop.getHeader())
    value = phi->getIncomingValueForBlock(latch);
  auto *sum = dyn_cast<BinaryOperator>(value);
  if (!latch || !sum || sum->getOpcode() != Instruction::Add)
    return nullptr;
  auto *counter = dyn_cast<PHINode>(sum->getOperand(0));
  const Value *step = sum->getOperand(1);
  bool isCounter = counter && counter->getParent() == loop.getHeader() &&
                   counter->getIncomingValueForBlock(latch) == sum && loop.isLoopInvariant(step);
  return isCounter ? step : nullptr;
}

/// Returns whether a counter with this step cannot satisfy the comparison with one bound for ever.
/// One that may equal the bound can: each number is at least 0.
static bool comesToEnd(CmpInst::Predicate predicate, const Value &step, const DataLayout &layout) {
  SimplifyQuery query(layout);
  if (predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_ULT)
    return isKnownPositive(&step, query);
  bool isAbove = predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_UGT;
  return isAbove && isKnownNegative(&step, query);
}

/// Returns whether the branch leaves the loop as soon as a counter has come to the bound with which
/// `comparison` compares it.
static bool leavesAtBound(const ICmpInst &comparison, const User *user, const Loop &loop) {
  auto *branch = dyn_cast<BranchInst>(user);
  if (!branch || loop.contains(branch->getSuccessor(0)) == loop.contains(branch->getSuccessor(1)))
    return false;
  CmpInst::Predicate stays = loop.contains(branch->getSuccessor(0))
                                 ? comparison.getPredicate()
                                 : comparison.getInversePredicate();
  const DataLayout &layout = loop.getHeader()->getDataLayout();
  if (const Value *step = stepOf(comparison.getOperand(0), loop))
    return comesToEnd(stays, *step, layout);
  const Value *step = stepOf(comparison.getOperand(1), loop);
  return step && comesToEnd(CmpInst::getSwappedPredicate(stays), *step, layout);
}

/// Returns whether the load says no more than how far a counter of the loop goes. The loop then
/// ends whether another thread writes there or not.
static bool boundsCounter(const LoadInst &load, const Loop &loop) {
  return all_of(load.users(), [&](const User *user) {
    auto *comparison = dyn_cast<ICmpInst>(user);
    return comparison && all_of(comparison->users(), [&](const User *branch) {
             return leavesAtBound(*comparison, branch, loop);
           });
  });
}

/// Returns whether the branch at the end of the block leaves the loop as soon as a counter has come
/// to a bound that the loop does not change.
static bool leavesByCounter(const BasicBlock &block, const Loop &loop) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto *comparison =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  return comparison &&
         any_of(comparison->operands(),
                [&](const Use &bound) { return loop.isLoopInvariant(bound); }) &&
         leavesAtBound(*comparison, branch, loop);
}

/// Returns whether nothing but counters decides how often the loop runs, so that it waits for no
/// thread. Inner loops are looked at by themselves.
static bool countsToEnd(const Loop &loop) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return !exiting.empty() &&
         all_of(exiting, [&](BasicBlock *block) { return leavesByCounter(*block, loop); });
}

/// Returns whether the load may see what another thread writes meanwhile, and the loop may wait for
/// that. No thread writes constant memory, and only one its own.
static bool mayPoll(const LoadInst &load, const Loop &loop) {
  unsigned space = load.getPointerAddressSpace();
  return load.isSimple() && space != regrain::constantSpace && space != regrain::localSpace &&
         !load.hasMetadata(LLVMContext::MD_invariant_load) &&
         loop.isLoopInvariant(load.getPointerOperand()) && !boundsCounter(load, loop);
}

static void markPollsOf(Function &function) {
  if (none_of(instructions(function), isFence))
    return;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    auto own = make_filter_range(
        loop->blocks(), [&](const BasicBlock *block) { return loops.getLoopFor(block) == loop; });
    if (countsToEnd(*loop) ||
        none_of(own, [](BasicBlock *block) { return any_of(*block, isFence); }))
      continue;
    for (BasicBlock *block : own)
      for (Instruction &inst : *block)
        if (auto *load = dyn_cast<LoadInst>(&inst); load && mayPoll(*load, *loop))
          load->setVolatile(true);
  }
}

void regrain::nvptx::markPolls(Module &module) {
  for (Function &function : module)
    markPollsOf(function);
}
