//===- UniformConditions.cpp - Conditions that a loop asks again ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/UniformConditions.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned deepest = 8; ///< how far the operands of a condition are followed

/// Returns whether the value of a kernel is the same for all threads of a block. Nothing is known
/// of memory, and of values that depend on the way through the code.
bool isUniform(const Value &value, unsigned depth = 0) {
  if (isa<Constant, Argument>(value))
    return true;
  if (auto *call = dyn_cast<IntrinsicInst>(&value))
    return readsBlock(*call);
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || depth == deepest ||
      !isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(instruction))
    return false;
  return all_of(instruction->operands(),
                [&](const Use &operand) { return isUniform(*operand, depth + 1); });
}

struct UnswitchUniform : PassInfoMixin<UnswitchUniform> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                        LoopStandardAnalysisResults &results, LPMUpdater &updater) {
    const Function &function = *loop.getHeader()->getParent();
    if (annotation(function, "kernel") != 1 || !asksOnlyUniform(loop, results.LI))
      return PreservedAnalyses::all();
    // Where no target is known, LLVM assumes that branches do not diverge.
    TargetTransformInfo noTarget(function.getParent()->getDataLayout());
    LoopStandardAnalysisResults plain = {results.AA,  results.AC,  results.DT, results.LI,
                                         results.SE,  results.TLI, noTarget,   results.BFI,
                                         results.BPI, results.MSSA};
    return SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(loop, analyses, plain, updater);
  }

private:
  /// Returns whether the instruction chooses between loops within `loop`, as what is left of an
  /// inner loop that was unswitched.
  static bool choosesLoop(const Instruction &instruction, const Loop &loop, const LoopInfo &loops) {
    return isa<BranchInst>(instruction) && all_of(successors(&instruction), [&](auto *block) {
             const BasicBlock *next = block->getUniqueSuccessor();
             return next && next != loop.getHeader() && loop.contains(next) &&
                    loops.isLoopHeader(next);
           });
  }

  /// Returns whether an innermost loop asks conditions that it does not change, or an outer one
  /// chooses by them between inner ones, and all conditions that it does not change are uniform.
  static bool asksOnlyUniform(const Loop &loop, const LoopInfo &loops) {
    bool asks = false;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block) {
        bool isSwitch = isa<SwitchInst>(instruction);
        for (const Value *operand : instruction.operand_values()) {
          bool isCondition =
              operand->getType()->isIntegerTy(1) || (isSwitch && operand->getType()->isIntegerTy());
          if (!isCondition || isa<Constant>(operand) || !loop.isLoopInvariant(operand))
            continue;
          if (!isUniform(*operand))
            return false;
          asks |= loop.isInnermost() ? isa<BranchInst, SelectInst, SwitchInst>(instruction)
                                     : choosesLoop(instruction, loop, loops);
        }
      }
    return asks;
  }
};

} // namespace

void unswitchUniformConditions(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel level) {
        if (level == OptimizationLevel::O3)
          passes.addPass(UnswitchUniform());
      });
}

} // namespace regrain::nvptx
