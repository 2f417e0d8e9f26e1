//===- JoinedConditions.cpp - One branch for two conditions ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/JoinedConditions.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned mostOperations = 4;
/// More than a block of so few operations has with its comparisons and conversions.
constexpr unsigned mostInstructions = 16;

/// Returns whether the block has only so few short operations, of integers, in front of its branch.
/// Comparisons and conversions of integers are not counted: they have no instructions of their own,
/// or go together with others.
bool isShort(const BasicBlock &block) {
  unsigned operations = 0;
  for (const Instruction &instruction : block.instructionsWithoutDebug()) {
    if (instruction.isTerminator() || instruction.getType()->isIntegerTy(1))
      continue;
    if (!instruction.getType()->isIntOrPtrTy() || instruction.mayReadOrWriteMemory() ||
        isa<CallBase>(instruction) || instruction.isIntDivRem())
      return false;
    operations += !isa<CastInst>(instruction);
  }
  return operations <= mostOperations;
}

} // namespace

PreservedAnalyses JoinConditions::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &target = analyses.getResult<TargetIRAnalysis>(function);
  bool isChanged = false;
  for (BasicBlock &block : function)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isConditional() && isShort(block))
      isChanged |= FoldBranchToCommonDest(branch, nullptr, nullptr, &target, mostInstructions);
  if (!isChanged)
    return PreservedAnalyses::all();
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

} // namespace regrain::nvptx
