//===- NarrowLoops.cpp - Loops over numbers of less than 32 bits ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/NarrowLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the loop computes numbers that a register holds twice.
bool hasHalves(const Loop &loop) {
  return any_of(loop.blocks(),
                [](const BasicBlock *block) { return any_of(*block, computesHalf); });
}

struct KeepNarrowLoops : PassInfoMixin<KeepNarrowLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &,
                        LPMUpdater &) {
    if (loop.isInnermost() && hasVectorizeTransformation(&loop) == TM_Unspecified &&
        !hasHalves(loop))
      addStringMetadataToLoop(&loop, "llvm.loop.isvectorized", 1);
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }
};

} // namespace

bool computesHalf(const Instruction &instruction) {
  const Type *type = instruction.getType()->getScalarType();
  return (type->isHalfTy() || type->isBFloatTy()) && isa<FPMathOperator>(instruction) &&
         !isa<FPTruncInst, PHINode, SelectInst>(instruction);
}

void keepNarrowLoops(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(createFunctionToLoopPassAdaptor(KeepNarrowLoops()));
  });
}

} // namespace regrain::nvptx
