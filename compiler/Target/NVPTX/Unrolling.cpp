//===- Unrolling.cpp - How loops are unrolled -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Unrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the program leaves it to the compiler how the loop is unrolled.
bool isFree(const Loop &loop) { return hasUnrollTransformation(&loop) == TM_Unspecified; }

/// Returns whether the instruction remains in unrolled code, and is no offset of an access.
bool remains(const Instruction &instruction) {
  if (auto *branch = dyn_cast<BranchInst>(&instruction))
    return branch->isConditional();
  return !isa<PHINode, GetElementPtrInst, CastInst, DbgInfoIntrinsic, LifetimeIntrinsic>(
      instruction);
}

/// Returns the instructions of one iteration that remain; nothing if the loop calls functions.
std::optional<uint64_t> sizeOf(const Loop &loop) {
  constexpr uint64_t ofCounter = 3; // addition, comparison and branch
  uint64_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
        return std::nullopt;
      size += remains(instruction);
    }
  return size - std::min(size, ofCounter);
}

/// Marks loops before LLVM decides which ones it unrolls completely.
class MarkFullLoops : public PassInfoMixin<MarkFullLoops> {
public:
  explicit MarkFullLoops(Unrolling unrolling) : unrolling(unrolling) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (!isFree(loop))
      return PreservedAnalyses::all();
    if (unrolling.factor == 1)
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    else if (isShort(loop, results.SE))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }

private:
  bool isShort(const Loop &loop, ScalarEvolution &evolution) const {
    uint64_t trips = evolution.getSmallConstantTripCount(&loop);
    if (trips <= 1 || !loop.isInnermost())
      return false;
    std::optional<uint64_t> size = sizeOf(loop);
    return size && *size * trips <= unrolling.mostOfFull;
  }

  Unrolling unrolling;
};

/// Marks the loops that are still there when LLVM has unrolled others completely.
class MarkRemainingLoops : public PassInfoMixin<MarkRemainingLoops> {
public:
  explicit MarkRemainingLoops(unsigned factor) : factor(factor) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &,
                        LPMUpdater &) {
    if (loop.isInnermost() && isFree(loop))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", factor);
    return PreservedAnalyses::all();
  }

private:
  unsigned factor;
};

} // namespace

Unrolling Unrolling::of(StringRef word) {
  Unrolling unrolling;
  if (word == "full")
    unrolling.mostOfFull = mostOfFullLoop;
  else if (word == "none")
    unrolling.factor = 1;
  else
    word.getAsInteger(10, unrolling.factor);
  return unrolling;
}

void chooseUnrolling(PassBuilder &builder, Unrolling unrolling) {
  builder.registerLateLoopOptimizationsEPCallback(
      [unrolling](LoopPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          passes.addPass(MarkFullLoops(unrolling));
      });
  if (unrolling.factor > 1)
    builder.registerVectorizerStartEPCallback(
        [factor = unrolling.factor](FunctionPassManager &passes, OptimizationLevel) {
          passes.addPass(createFunctionToLoopPassAdaptor(MarkRemainingLoops(factor)));
        });
}

} // namespace regrain::nvptx
