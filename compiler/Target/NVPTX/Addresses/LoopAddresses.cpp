//===- LoopAddresses.cpp - How a loop forms its addresses -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/LoopAddresses.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using regrain::nvptx::WidenedLoops;

namespace {

/// The least factor at which a step of 32 bits is held several times over.
constexpr unsigned leastFactor = 4;

/// Returns whether no iteration is left of the loop once LLVM has unrolled it, or whether the
/// program asks for many at a time.
bool isUnrolledFar(const Loop &loop, ScalarEvolution &evolution) {
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  std::optional<int> factor = getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
  if (factor)
    return unsigned(*factor) >= (trips ? trips : leastFactor);
  return trips && (getBooleanLoopAttribute(&loop, "llvm.loop.unroll.full") ||
                   getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable"));
}

/// Returns whether an index of 32 bits, which is extended in the loop, grows by a step that is not
/// constant. Constant steps become offsets of accesses in any width.
bool hasVariableStep(const Loop &loop, ScalarEvolution &evolution) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      if (!isa<SExtInst, ZExtInst>(instruction))
        return false;
      auto *index = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(instruction.getOperand(0)));
      return index && index->getLoop() == &loop &&
             !isa<SCEVConstant>(index->getStepRecurrence(evolution));
    });
  });
}

/// Runs indvars with costs of no particular target: an addition costs one, whatever its width.
struct WidenInductions : PassInfoMixin<WidenInductions> {
  explicit WidenInductions(WidenedLoops loops) : loops(loops) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                        LoopStandardAnalysisResults &results, LPMUpdater &updater) {
    if (loops == WidenedLoops::Rows &&
        (!isUnrolledFar(loop, results.SE) || !hasVariableStep(loop, results.SE)))
      return PreservedAnalyses::all();
    TargetTransformInfo noTarget(loop.getHeader()->getModule()->getDataLayout());
    LoopStandardAnalysisResults plain = {results.AA,  results.AC,  results.DT, results.LI,
                                         results.SE,  results.TLI, noTarget,   results.BFI,
                                         results.BPI, results.MSSA};
    return IndVarSimplifyPass(/*WidenIndVars=*/true).run(loop, analyses, plain, updater);
  }

private:
  WidenedLoops loops;
};

} // namespace

void regrain::nvptx::widenInductions(PassBuilder &builder, WidenedLoops loops) {
  builder.registerLateLoopOptimizationsEPCallback(
      [loops](LoopPassManager &passes, OptimizationLevel level) {
        if (level != OptimizationLevel::O0)
          passes.addPass(WidenInductions(loops));
      });
}

regrain::nvptx::LoopGate::LoopGate(LLVMContext &context, bool keepsIndices)
    : context(context), previous(context.getOptPassGate()), keepsIndices(keepsIndices) {
  context.setOptPassGate(*this);
}

regrain::nvptx::LoopGate::~LoopGate() { context.setOptPassGate(previous); }

bool regrain::nvptx::LoopGate::shouldRunPass(StringRef pass, StringRef) {
  if (pass == "Loop Strength Reduction")
    return !keepsIndices;
  return pass != "Canonicalize Freeze Instructions in Loops";
}
