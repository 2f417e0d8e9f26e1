//===- VectorisableAccesses.cpp - Accesses that can be joined -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/VectorisableAccesses.h"

#include "runtime/image/launch_limits.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Returns how many of the lowest bits of a number are 0. Where a guard has been split, numbers of
/// its first part are merged with poison, which may be taken for any number.
static uint32_t zeroBitsOf(const SCEV *number, ScalarEvolution &evolution) {
  if (auto *sum = dyn_cast<SCEVAddExpr>(number)) {
    uint32_t zeros = Log2_32(regrain::widestAccess);
    for (const SCEV *operand : sum->operands())
      zeros = std::min(zeros, zeroBitsOf(operand, evolution));
    return zeros;
  }
  auto *unknown = dyn_cast<SCEVUnknown>(number);
  auto *merged = unknown ? dyn_cast<PHINode>(unknown->getValue()) : nullptr;
  if (!merged)
    return evolution.getMinTrailingZeros(number);
  uint32_t zeros = Log2_32(regrain::widestAccess);
  for (Value *value : merged->incoming_values())
    if (!isa<PoisonValue>(value))
      zeros = std::min(zeros, evolution.getMinTrailingZeros(evolution.getSCEV(value)));
  return zeros;
}

/// Returns the alignment of what is at a multiple of bytes from a base that is aligned.
static Align alignmentOf(Value *pointer, ScalarEvolution &evolution, const DataLayout &layout) {
  const SCEV *address = evolution.getSCEV(pointer);
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
  if (!base || address == base)
    return Align();
  const SCEV *distance = evolution.removePointerBase(address);
  uint32_t zeros = std::min(zeroBitsOf(distance, evolution), Log2_32(regrain::widestAccess));
  return std::min(getKnownAlignment(base->getValue(), layout), Align(uint64_t(1) << zeros));
}

PreservedAnalyses regrain::nvptx::VectorisableAccesses::run(Function &function,
                                                            FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const DataLayout &layout = function.getDataLayout();
  auto align = [&](auto *access) {
    Align known = alignmentOf(access->getPointerOperand(), evolution, layout);
    access->setAlignment(std::max(access->getAlign(), known));
  };
  for (Instruction &instruction : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      align(load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      align(store);
    auto *call = dyn_cast<CallInst>(&instruction);
    auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (assembly && !assembly->hasSideEffects() && call->doesNotAccessMemory())
      call->addFnAttr(Attribute::WillReturn);
  }
  return PreservedAnalyses::all();
}
