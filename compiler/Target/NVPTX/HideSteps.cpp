//===- HideSteps.cpp - Addresses that advance together --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/HideSteps.h"

#include "compiler/DeviceIR/Annotations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// From so many addresses on, strength reduction does not compare all ways to compute them.
constexpr unsigned manyAddresses = 8;

/// Counts the addresses of the loop that lie at distances from `address` which the loop does not
/// change, and which are not constant, with those that start at such addresses.
unsigned countFrom(const GetElementPtrInst &address, const Loop &loop) {
  unsigned count = 0;
  for (const User *user : address.users()) {
    auto *next = dyn_cast<GetElementPtrInst>(user);
    if (!next || next->getPointerOperand() != &address || !loop.contains(next) ||
        !all_of(next->indices(), [&](const Use &index) { return loop.isLoopInvariant(index); }))
      continue;
    count += !next->hasAllConstantIndices() + countFrom(*next, loop);
  }
  return count;
}

/// Returns whether the index grows in the loop by a step that is not constant.
bool hasVariableStep(Value &index, const Loop &loop, ScalarEvolution &evolution) {
  if (!isa<Instruction>(index))
    return false;
  auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&index));
  return steps && steps->getLoop() == &loop && steps->isAffine() &&
         !isa<SCEVConstant>(steps->getStepRecurrence(evolution));
}

/// Says of loads from read-only arguments of a kernel that nothing changes what they read. The code
/// generator finds that out itself, but only if few additions lead from the argument to the
/// address.
void showInvariantLoads(Function &function) {
  if (!annotatedWith(*function.getParent(), "kernel").contains(&function))
    return;
  for (Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
      continue;
    auto *argument =
        dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand(), /*MaxLookup=*/0));
    if (argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory())
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
  }
}

} // namespace

PreservedAnalyses HideSteps::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  SmallVector<Use *> hidden;
  for (Instruction &instruction : instructions(function)) {
    auto *address = dyn_cast<GetElementPtrInst>(&instruction);
    const Loop *loop = address ? loops.getLoopFor(address->getParent()) : nullptr;
    if (!loop || address->getType()->isVectorTy() ||
        !loop->isLoopInvariant(address->getPointerOperand()) ||
        countFrom(*address, *loop) < manyAddresses)
      continue;
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Use &index : address->indices())
      if (hasVariableStep(*index, *loop, evolution))
        hidden.push_back(&index);
  }
  for (Use *index : hidden)
    index->set(new FreezeInst(*index, index->get()->getName() + ".steps",
                              cast<Instruction>(index->getUser())->getIterator()));
  if (hidden.empty())
    return PreservedAnalyses::all();
  showInvariantLoads(function);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace regrain::nvptx
