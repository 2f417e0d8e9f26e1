//===- GuardedDivisions.cpp - Divisions under a condition -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/GuardedDivisions.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Returns the divisions in `loop` that not every iteration reaches.
SmallVector<BinaryOperator *> guardedDivisions(const Loop &loop, const DominatorTree &dominators) {
  SmallVector<BinaryOperator *> found;
  for (BasicBlock *block : loop.blocks()) {
    if (loop.getLoopLatch() && dominators.dominates(block, loop.getLoopLatch()))
      continue;
    for (Instruction &instruction : *block)
      if (instruction.isIntDivRem() && instruction.getType()->isIntegerTy() &&
          !isSafeToSpeculativelyExecute(&instruction))
        found.push_back(cast<BinaryOperator>(&instruction));
  }
  return found;
}

/// Moves `division` before the loop. Its result is not used where the program does not divide.
void hoist(BinaryOperator &division, Instruction &before) {
  IRBuilder<> builder(&before);
  Value *dividend = builder.CreateFreeze(division.getOperand(0));
  Value *divisor = builder.CreateFreeze(division.getOperand(1));
  Type *type = division.getType();
  Value *traps = builder.CreateIsNull(divisor);
  if (division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem) {
    Value *least = ConstantInt::get(type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
    Value *overflows =
        builder.CreateAnd(builder.CreateICmpEQ(dividend, least),
                          builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
    traps = builder.CreateOr(traps, overflows);
  }
  division.setOperand(0, dividend);
  division.setOperand(1, builder.CreateSelect(traps, ConstantInt::get(type, 1), divisor));
  division.moveBefore(&before);
}

void freezeResult(BinaryOperator &division) {
  IRBuilder<> builder(division.getNextNode());
  auto *frozen = cast<FreezeInst>(builder.CreateFreeze(&division));
  division.replaceUsesWithIf(frozen, [&](Use &use) { return use.getUser() != frozen; });
}

bool run(Loop &loop, const DominatorTree &dominators) {
  SmallVector<BinaryOperator *> divisions = guardedDivisions(loop, dominators);
  Instruction *before =
      loop.getLoopPreheader() ? loop.getLoopPreheader()->getTerminator() : nullptr;
  for (BinaryOperator *division : divisions) {
    bool moved = false;
    if (before && llvm::all_of(division->operands(), [&](Value *operand) {
          return loop.makeLoopInvariant(operand, moved, before);
        }))
      hoist(*division, *before);
    else
      freezeResult(*division);
  }
  return !divisions.empty();
}

} // namespace

PreservedAnalyses GuardedDivisionsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost())
      changed |= cpu::run(*loop, dominators);
  return flowPreserved(changed);
}

} // namespace regrain::cpu
