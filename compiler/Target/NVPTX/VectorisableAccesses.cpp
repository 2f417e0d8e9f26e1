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

static constexpr unsigned mostZeroBits = CTLog2<regrain::widestAccess>();
/// The operations that are followed, one behind the other.
static constexpr unsigned deepest = 8;

namespace {

/// Finds how many of the lowest bits of numbers are 0, up to those of the widest access.
class ZeroBits {
public:
  explicit ZeroBits(ScalarEvolution &evolution) : evolution(evolution) {}

  unsigned of(const SCEV *number, unsigned depth = 0) {
    unsigned known = std::min(evolution.getMinTrailingZeros(number), mostZeroBits), zeros = 0;
    if (depth == deepest || known == mostZeroBits)
      return known;
    if (auto *cast = dyn_cast<SCEVIntegralCastExpr>(number))
      zeros = of(cast->getOperand(), depth + 1);
    else if (isa<SCEVAddExpr, SCEVAddRecExpr>(number))
      zeros = leastOf(number->operands(), depth);
    else if (isa<SCEVMulExpr>(number))
      for (const SCEV *factor : number->operands())
        zeros = std::min(zeros + of(factor, depth + 1), mostZeroBits);
    else if (auto *unknown = dyn_cast<SCEVUnknown>(number))
      zeros = of(unknown->getValue(), depth);
    return std::max(known, zeros);
  }

private:
  unsigned leastOf(ArrayRef<const SCEV *> numbers, unsigned depth) {
    unsigned zeros = mostZeroBits;
    for (const SCEV *number : numbers)
      if (zeros)
        zeros = std::min(zeros, of(number, depth + 1));
    return zeros;
  }

  /// Where a guard has been split, numbers of its first part are merged with poison, which may be
  /// taken for any number. A number that a loop carries has the bits with which it begins and that
  /// each iteration keeps. What is left by a division is the number less a multiple of the divisor.
  unsigned of(Value *value, unsigned depth) {
    SmallVector<const SCEV *> parts;
    auto add = [&](Value *part) { parts.push_back(evolution.getSCEV(part)); };
    if (auto *merged = dyn_cast<PHINode>(value)) {
      if (!followed.insert(merged).second)
        return mostZeroBits;
      for (Value *incoming : merged->incoming_values())
        if (!isa<PoisonValue>(incoming))
          add(incoming);
      unsigned zeros = leastOf(parts, depth);
      followed.erase(merged);
      return zeros;
    }
    auto *rest = dyn_cast<BinaryOperator>(value);
    if (!rest || !is_contained({Instruction::SRem, Instruction::URem}, rest->getOpcode()))
      return 0;
    for_each(rest->operands(), add);
    return leastOf(parts, depth);
  }

  ScalarEvolution &evolution;
  SmallPtrSet<PHINode *, 4> followed;
};

} // namespace

/// Returns the alignment of what is at a multiple of bytes from a base that is aligned.
static Align alignmentOf(Value *pointer, ScalarEvolution &evolution, const DataLayout &layout) {
  const SCEV *address = evolution.getSCEV(pointer);
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
  if (!base || address == base)
    return Align();
  const SCEV *distance = evolution.removePointerBase(address);
  unsigned zeros = ZeroBits(evolution).of(distance);
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
