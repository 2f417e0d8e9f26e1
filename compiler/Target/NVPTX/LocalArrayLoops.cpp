//===- LocalArrayLoops.cpp - Loops over arrays of a thread ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/LocalArrayLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The most bytes of an array that fits into a thread's registers beside other values.
constexpr uint64_t largestArray = 512;
/// The most instructions of an unrolled loop, before what becomes constant is removed.
constexpr uint64_t mostInstructions = 4096;

bool isSmallArray(const Value *object) {
  auto *array = dyn_cast<AllocaInst>(object);
  if (!array || !array->isStaticAlloca())
    return false;
  std::optional<TypeSize> bytes = array->getAllocationSize(array->getModule()->getDataLayout());
  return bytes && !bytes->isScalable() && bytes->getFixedValue() <= largestArray;
}

class UnrollOverLocalArrays : public PassInfoMixin<UnrollOverLocalArrays> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (loop.isInnermost() && hasUnrollTransformation(&loop) == TM_Unspecified &&
        isWorthUnrolling(loop, results.SE))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }

private:
  static bool isWorthUnrolling(const Loop &loop, ScalarEvolution &evolution) {
    uint64_t trips = evolution.getSmallConstantTripCount(&loop), instructions = 0;
    bool countsThroughArray = false;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : block->instructionsWithoutDebug()) {
        ++instructions;
        auto *address = dyn_cast<GetElementPtrInst>(&instruction);
        countsThroughArray |= address && countsThrough(*address, loop, evolution);
      }
    return trips > 1 && countsThroughArray && trips * instructions <= mostInstructions;
  }

  static bool countsThrough(const GetElementPtrInst &address, const Loop &loop,
                            ScalarEvolution &evolution) {
    if (!isSmallArray(getUnderlyingObject(address.getPointerOperand())))
      return false;
    return any_of(address.indices(), [&](const Use &index) {
      return evolution.hasComputableLoopEvolution(evolution.getSCEV(index), &loop);
    });
  }
};

} // namespace

void unrollOverLocalArrays(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(UnrollOverLocalArrays()); });
}

} // namespace regrain::nvptx
