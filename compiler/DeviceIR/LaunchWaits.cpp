//===- LaunchWaits.cpp - Waits for the launch in front --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/LaunchWaits.h"

#include "compiler/DeviceIR/InlineAssembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/// The mark of a kernel that had waits, and its value if a hint to the launch behind may have
/// followed one.
constexpr StringLiteral waitsAttribute = "regrain-launch-waits", beforeHints = "before hints";

const InlineAsm *assemblyOf(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
}

bool isLaunchWait(const Instruction &instruction) {
  const InlineAsm *assembly = assemblyOf(instruction);
  return assembly && regrain::waitsForLaunch(*assembly);
}

bool isLaunchHint(const Instruction &instruction) {
  const InlineAsm *assembly = assemblyOf(instruction);
  return assembly && regrain::letsNextLaunchBegin(*assembly);
}

/// Returns whether a thread may come from a wait to a hint.
bool mayHintBehindWait(Function &kernel) {
  return any_of(instructions(kernel), [&](const Instruction &hint) {
    return isLaunchHint(hint) && any_of(instructions(kernel), [&](const Instruction &wait) {
             return isLaunchWait(wait) && isPotentiallyReachable(&wait, &hint);
           });
  });
}

/// Returns whether the wait must stand in front of the instruction.
bool needsWait(const Instruction &instruction) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  const InlineAsm *assembly = assemblyOf(instruction);
  if (isLaunchHint(instruction))
    return instruction.getFunction()->getFnAttribute(waitsAttribute).getValueAsString() ==
           beforeHints;
  return instruction.mayReadOrWriteMemory() && !(intrinsic && intrinsic->isAssumeLikeIntrinsic()) &&
         !(assembly && regrain::onlyHints(*assembly));
}

/// Returns the last block that every thread runs once and that comes before all that needs the
/// wait: if all threads skipped it, a launch behind could overtake what is in front of this one.
BasicBlock &blockOfWait(Function &kernel) {
  DominatorTree dominators(kernel);
  PostDominatorTree postDominators(kernel);
  LoopInfo loops(dominators);
  BasicBlock *block = nullptr;
  for (Instruction &instruction : instructions(kernel))
    if (needsWait(instruction) && dominators.isReachableFromEntry(instruction.getParent()))
      block = block ? dominators.findNearestCommonDominator(block, instruction.getParent())
                    : instruction.getParent();
  BasicBlock &entry = kernel.getEntryBlock();
  while (block && block != &entry &&
         (loops.getLoopFor(block) || !postDominators.dominates(block, &entry)))
    block = dominators.getNode(block)->getIDom()->getBlock();
  return block ? *block : entry;
}

void dropRepeatedHints(Function &kernel) {
  for (BasicBlock &block : kernel) {
    bool isTold = false;
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (!isLaunchHint(instruction))
        continue;
      if (isTold)
        instruction.eraseFromParent();
      isTold = true;
    }
  }
}

} // namespace

bool regrain::hasLaunchWait(const Function &function) {
  return any_of(instructions(function), isLaunchWait);
}

void regrain::takeLaunchWaits(Function &kernel) {
  if (!hasLaunchWait(kernel))
    return;
  kernel.addFnAttr(waitsAttribute, mayHintBehindWait(kernel) ? beforeHints : StringLiteral(""));
  for (Instruction &instruction : make_early_inc_range(instructions(kernel)))
    if (isLaunchWait(instruction))
      instruction.eraseFromParent();
}

void regrain::putLaunchWait(Function &kernel) {
  dropRepeatedHints(kernel);
  if (!kernel.hasFnAttribute(waitsAttribute))
    return;
  BasicBlock &block = blockOfWait(kernel);
  auto first = find_if(block, needsWait);
  kernel.removeFnAttr(waitsAttribute);
  IRBuilder<> builder(&block, first == block.end() ? block.getTerminator()->getIterator() : first);
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  CallInst *wait = builder.CreateCall(InlineAsm::get(type, "griddepcontrol.wait;", "~{memory}",
                                                     /*hasSideEffects=*/true));
  wait->addFnAttr(Attribute::Convergent);
  wait->addFnAttr(Attribute::NoUnwind);
}
