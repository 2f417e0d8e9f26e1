//===- LoadOrder.cpp - Which of two loads is issued first -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/LoadOrder.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/KeptBlocks.h"
#include "compiler/Target/NVPTX/Memory/ThreadStrides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <iterator>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the load if nothing else in the block uses it before `user`.
LoadInst *loadFor(const Use &operand, const Instruction &user) {
  auto *load = dyn_cast<LoadInst>(operand.get());
  bool isFirst = load && load->isSimple() && load->getParent() == user.getParent() &&
                 none_of(load->users(), [&](const User *other) {
                   auto *one = cast<Instruction>(other);
                   return one->getParent() == user.getParent() && !isa<PHINode>(one) &&
                          one->comesBefore(&user);
                 });
  return isFirst ? load : nullptr;
}

/// Returns whether the load may be moved behind `last`.
bool mayFollow(const LoadInst &load, const LoadInst &last) {
  return std::all_of(load.getIterator(), last.getIterator(), [](const Instruction &between) {
    return !between.mayWriteToMemory() && isGuaranteedToTransferExecutionToSuccessor(&between);
  });
}

/// Returns whether the loop may write what the load reads, so that the load cannot be issued
/// together with those of other iterations.
bool staysInIteration(const LoadInst &load, const Loop &loop, BatchAAResults &aliases) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &one) {
      return one.mayWriteToMemory() &&
             isModSet(aliases.getModRefInfo(&one, MemoryLocation::get(&load)));
    });
  });
}

/// Moves the far loads that `user` waits for behind the last of the near ones.
bool orderLoadsOf(Instruction &user, const Loop &loop, ThreadStrides &strides,
                  BatchAAResults &aliases) {
  SmallVector<LoadInst *, 2> far;
  LoadInst *lastNear = nullptr;
  for (const Use &operand : user.operands()) {
    LoadInst *load = loadFor(operand, user);
    Reach reach = load ? strides.reachOf(*load->getPointerOperand()) : Reach::Unknown;
    if (reach == Reach::Far && !is_contained(far, load))
      far.push_back(load);
    if (reach == Reach::Near && (!lastNear || lastNear->comesBefore(load)))
      lastNear = load;
  }
  if (!lastNear)
    return false;
  erase_if(far, [&](const LoadInst *load) {
    return !load->comesBefore(lastNear) || !mayFollow(*load, *lastNear) ||
           !staysInIteration(*load, loop, aliases);
  });
  sort(far, [](const LoadInst *left, const LoadInst *right) { return right->comesBefore(left); });
  for (LoadInst *load : far)
    load->moveAfter(lastNear);
  return !far.empty();
}

} // namespace

PreservedAnalyses LoadOrder::run(Function &function, FunctionAnalysisManager &analyses) {
  if (annotation(function, "kernel") != 1)
    return PreservedAnalyses::all();
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  ThreadStrides strides(analyses.getResult<ScalarEvolutionAnalysis>(function));
  BatchAAResults aliases(analyses.getResult<AAManager>(function));
  bool isChanged = false;
  for (BasicBlock &block : function)
    if (const Loop *loop = loops.getLoopFor(&block))
      for (Instruction &user : make_early_inc_range(block))
        if (!isa<PHINode>(user))
          isChanged |= orderLoadsOf(user, *loop, strides, aliases);
  return preservedWithBlocks(isChanged);
}

} // namespace regrain::nvptx
