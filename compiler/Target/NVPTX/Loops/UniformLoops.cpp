//===- UniformLoops.cpp - Loops that threads leave together ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/UniformLoops.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the loops that are marked, and that threads of a block leave together.
SmallVector<std::pair<Loop *, unsigned>> findLoops(Function &kernel, LoopInfo &loops) {
  SmallVector<std::pair<Loop *, unsigned>> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (std::optional<int> factor = getOptionalIntLoopAttribute(loop, unrolledIfUniform))
      found.emplace_back(loop, unsigned(*factor));
  if (found.empty())
    return found;
  BasicBlocks partings = findPartings(kernel);
  erase_if(found, [&](const std::pair<Loop *, unsigned> &one) {
    const BasicBlock *exiting = one.first->getExitingBlock();
    return !exiting || partings.contains(exiting);
  });
  return found;
}

/// Returns whether a thread that runs the instruction also runs the end of its basic block.
bool reachesEnd(const Instruction &instruction) {
  const BasicBlock &block = *instruction.getParent();
  return isGuaranteedToTransferExecutionToSuccessor(instruction.getIterator(), block.end());
}

} // namespace

void trustCounter(const Loop &loop, ScalarEvolution &evolution) {
  const BasicBlock *exiting = loop.getExitingBlock();
  auto *branch = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
  auto *end =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!end)
    return;
  for (Value *value : end->operand_values()) {
    auto *sum = dyn_cast<BinaryOperator>(value);
    auto *counter = sum && sum->getOpcode() == Instruction::Add && sum->getParent() == exiting &&
                            reachesEnd(*sum)
                        ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(sum))
                        : nullptr;
    if (!counter || counter->getLoop() != &loop || !counter->isAffine())
      continue;
    SCEV::NoWrapFlags flags = SCEV::FlagAnyWrap;
    if (sum->hasNoSignedWrap())
      flags = ScalarEvolution::setFlags(flags, SCEV::FlagNSW);
    if (sum->hasNoUnsignedWrap())
      flags = ScalarEvolution::setFlags(flags, SCEV::FlagNUW);
    evolution.setNoWrapFlags(const_cast<SCEVAddRecExpr *>(counter), flags);
    evolution.forgetLoop(&loop);
  }
}

uint64_t fixedAddresses(const Loop &loop) {
  SmallPtrSet<const Value *, 16> addresses;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *address = dyn_cast_or_null<Instruction>(getLoadStorePointerOperand(&instruction));
          address && !loop.contains(address))
        addresses.insert(address);
  return addresses.size();
}

PreservedAnalyses UnrollUniformLoops::run(Function &kernel, FunctionAnalysisManager &analyses) {
  if (!annotation(kernel, "kernel"))
    return PreservedAnalyses::all();
  auto &loops = analyses.getResult<LoopAnalysis>(kernel);
  SmallVector<std::pair<Loop *, unsigned>> marked = findLoops(kernel, loops);
  if (marked.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(kernel);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(kernel);
  auto &target = analyses.getResult<TargetIRAnalysis>(kernel);
  auto &remarks = analyses.getResult<OptimizationRemarkEmitterAnalysis>(kernel);
  for (auto [loop, factor] : marked) {
    simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr,
                 /*PreserveLCSSA=*/false);
    formLCSSARecursively(*loop, dominators, &loops, &evolution);
    UnrollLoopOptions options = {.Count = factor,
                                 .Force = false,
                                 .Runtime = true,
                                 .AllowExpensiveTripCount = true,
                                 .UnrollRemainder = false,
                                 .ForgetAllSCEV = false};
    Loop *rest = nullptr;
    LoopUnrollResult result =
        UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                   /*PreserveLCSSA=*/true, &rest);
    if (result == LoopUnrollResult::PartiallyUnrolled &&
        findStringMetadataForLoop(loop, "llvm.loop.unroll.count"))
      loop->setLoopAlreadyUnrolled(); // what the program asks for is done
    // LLVM's own pass follows. It would look at what remains for loops that it can unroll.
    for (Loop *one : {loop, rest})
      if (one)
        addStringMetadataToLoop(one, "llvm.loop.disable_nonforced");
  }
  return PreservedAnalyses::none();
}

} // namespace regrain::nvptx
