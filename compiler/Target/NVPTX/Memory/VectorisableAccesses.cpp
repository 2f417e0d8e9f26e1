//===- VectorisableAccesses.cpp - Accesses that can be joined -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/VectorisableAccesses.h"

#include "runtime/image/launch_limits.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

constexpr uint32_t mostZeros = CTLog2<regrain::widestAccess>();
constexpr size_t mostMerges = 6; ///< in each other
/// The numbers that are looked at for one access: expressions may have the same parts many times.
constexpr unsigned mostSteps = 256;

/// Finds how many of the lowest bits of a number or an address are 0.
class LowestBits {
public:
  LowestBits(ScalarEvolution &evolution, const DataLayout &layout)
      : evolution(evolution), layout(layout) {}

  /// Returns the number of zeros, at most those of the widest access.
  uint32_t find(Value *value) {
    steps = 0;
    return zerosOf(evolution.getSCEV(value));
  }

private:
  uint32_t zerosOf(const SCEV *number);
  uint32_t leastOf(ArrayRef<Value *> values);
  uint32_t zerosOfLeaf(Value *value);
  uint32_t zerosOfMerged(PHINode *merged);

  ScalarEvolution &evolution;
  const DataLayout &layout;
  SmallVector<PHINode *> around; ///< numbers that are being looked at
  unsigned steps = 0;
};

} // namespace

/// Looks at what is merged. A number that a loop carries has the zeros that it begins with and that
/// each iteration keeps: sums, products and extensions of it have no fewer. Where a guard has been
/// split, numbers of its first part are merged with poison, which may be taken for any number.
uint32_t LowestBits::zerosOfMerged(PHINode *merged) {
  if (is_contained(around, merged))
    return mostZeros;
  if (around.size() == mostMerges)
    return 0;
  around.push_back(merged);
  uint32_t zeros = leastOf(SmallVector<Value *>(merged->incoming_values()));
  around.pop_back();
  return zeros;
}

uint32_t LowestBits::leastOf(ArrayRef<Value *> values) {
  uint32_t zeros = mostZeros;
  for (Value *value : values)
    if (zeros != 0 && !isa<PoisonValue>(value))
      zeros = std::min(zeros, zerosOf(evolution.getSCEV(value)));
  return zeros;
}

/// What is left by a division is the number less a multiple of the divisor.
uint32_t LowestBits::zerosOfLeaf(Value *value) {
  if (auto *merged = dyn_cast<PHINode>(value))
    return zerosOfMerged(merged);
  auto *rest = dyn_cast<BinaryOperator>(value);
  if (rest && is_contained({Instruction::SRem, Instruction::URem}, rest->getOpcode()))
    return leastOf({rest->getOperand(0), rest->getOperand(1)});
  return value->getType()->isPointerTy()
             ? std::min(mostZeros, Log2(getKnownAlignment(value, layout)))
             : evolution.getMinTrailingZeros(evolution.getUnknown(value));
}

uint32_t LowestBits::zerosOf(const SCEV *number) {
  if (++steps > mostSteps)
    return 0;
  if (auto *leaf = dyn_cast<SCEVUnknown>(number))
    return std::min(mostZeros, zerosOfLeaf(leaf->getValue()));
  if (auto *extended = dyn_cast<SCEVIntegralCastExpr>(number))
    return zerosOf(extended->getOperand());
  if (isa<SCEVMulExpr>(number)) {
    uint32_t zeros = 0;
    for (const SCEV *operand : number->operands())
      zeros += zerosOf(operand);
    return std::min(mostZeros, zeros);
  }
  if (!isa<SCEVAddExpr, SCEVAddRecExpr, SCEVMinMaxExpr>(number))
    return std::min(mostZeros, evolution.getMinTrailingZeros(number));
  uint32_t zeros = mostZeros;
  for (const SCEV *operand : number->operands())
    zeros = std::min(zeros, zerosOf(operand));
  return zeros;
}

PreservedAnalyses regrain::nvptx::VectorisableAccesses::run(Function &function,
                                                            FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const DataLayout &layout = function.getDataLayout();
  LowestBits bits(evolution, layout);
  auto align = [&](auto *access) {
    uint32_t zeros = bits.find(access->getPointerOperand());
    access->setAlignment(std::max(access->getAlign(), Align(uint64_t(1) << zeros)));
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
