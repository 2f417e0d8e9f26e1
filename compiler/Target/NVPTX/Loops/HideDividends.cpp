//===- HideDividends.cpp - Divisions that strength reduction skips --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/HideDividends.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {

/// Returns whether the value follows from the counter of a loop.
static bool isCounted(Instruction &value, ScalarEvolution &evolution) {
  return evolution.isSCEVable(value.getType()) &&
         SCEVExprContains(evolution.getSCEV(&value),
                          [](const SCEV *part) { return isa<SCEVAddRecExpr>(part); });
}

PreservedAnalyses HideDividends::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  // Division and remainder of one number share their dividend, because they share instructions.
  MapVector<Instruction *, SmallVector<Use *, 2>> dividends;
  for (Instruction &division : instructions(function)) {
    auto *dividend =
        division.isIntDivRem() ? dyn_cast<Instruction>(division.getOperand(0)) : nullptr;
    if (dividend && !isa<FreezeInst>(dividend) && loops.getLoopFor(division.getParent()))
      dividends[dividend].push_back(&division.getOperandUse(0));
  }
  if (dividends.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  dividends.remove_if([&](auto &entry) { return !isCounted(*entry.first, evolution); });
  for (auto &[dividend, uses] : dividends) {
    std::optional<BasicBlock::iterator> place = dividend->getInsertionPointAfterDef();
    if (!place)
      continue;
    auto *frozen = new FreezeInst(dividend, dividend->getName() + ".divided", *place);
    for (Use *use : uses)
      use->set(frozen);
  }
  return flowPreserved(/*isChanged=*/true);
}

} // namespace regrain::nvptx
