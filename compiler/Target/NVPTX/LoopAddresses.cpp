//===- LoopAddresses.cpp - How a loop forms its addresses -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/LoopAddresses.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace {

/// Runs indvars with costs of no particular target: an addition costs one, whatever its width.
struct WidenInductions : PassInfoMixin<WidenInductions> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                        LoopStandardAnalysisResults &results, LPMUpdater &updater) {
    TargetTransformInfo noTarget(loop.getHeader()->getModule()->getDataLayout());
    LoopStandardAnalysisResults plain = {results.AA,  results.AC,  results.DT, results.LI,
                                         results.SE,  results.TLI, noTarget,   results.BFI,
                                         results.BPI, results.MSSA};
    return IndVarSimplifyPass(/*WidenIndVars=*/true).run(loop, analyses, plain, updater);
  }
};

} // namespace

void regrain::nvptx::widenInductions(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(WidenInductions()); });
}

regrain::nvptx::KeepIndices::KeepIndices(LLVMContext &context)
    : context(context), previous(context.getOptPassGate()) {
  context.setOptPassGate(*this);
}

regrain::nvptx::KeepIndices::~KeepIndices() { context.setOptPassGate(previous); }

bool regrain::nvptx::KeepIndices::shouldRunPass(StringRef pass, StringRef) {
  return pass != "Loop Strength Reduction";
}
