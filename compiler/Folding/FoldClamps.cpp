//===- FoldClamps.cpp - Clamps of floats as doubles -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folding/FoldClamps.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

constexpr unsigned mostLevels = 4;

/// Returns the least or greatest of two numbers of which one is a constant other than 0, or null.
IntrinsicInst *asClamp(Value *value) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(value);
  if (!intrinsic || (intrinsic->getIntrinsicID() != Intrinsic::minnum &&
                     intrinsic->getIntrinsicID() != Intrinsic::maxnum))
    return nullptr;
  bool hasLimit = any_of(intrinsic->args(), [](const Use &use) {
    auto *constant = dyn_cast<ConstantFP>(use);
    return constant && !constant->isZero() && !constant->isNaN();
  });
  return hasLimit ? intrinsic : nullptr;
}

/// Returns the value as a number of another type that has it exactly; null if none is known.
Value *narrowed(Value *wide, Type *type, IRBuilder<> &builder, unsigned levels = mostLevels) {
  if (auto *extension = dyn_cast<FPExtInst>(wide))
    return extension->getSrcTy() == type ? extension->getOperand(0) : nullptr;
  if (auto *constant = dyn_cast<ConstantFP>(wide)) {
    APFloat value = constant->getValueAPF();
    bool losesInfo = false;
    value.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return losesInfo ? nullptr : ConstantFP::get(type, value);
  }
  IntrinsicInst *clamp = asClamp(wide);
  if (!clamp || !clamp->hasOneUse() || levels == 0)
    return nullptr;
  Value *left = narrowed(clamp->getArgOperand(0), type, builder, levels - 1);
  Value *right = left ? narrowed(clamp->getArgOperand(1), type, builder, levels - 1) : nullptr;
  return right ? builder.CreateBinaryIntrinsic(clamp->getIntrinsicID(), left, right) : nullptr;
}

} // namespace

PreservedAnalyses regrain::FoldClamps::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *truncation = dyn_cast<FPTruncInst>(&instruction);
    if (!truncation || !truncation->getType()->isFloatTy() || !asClamp(truncation->getOperand(0)))
      continue;
    IRBuilder<> builder(truncation);
    Value *value = narrowed(truncation->getOperand(0), truncation->getType(), builder);
    if (!value)
      continue;
    truncation->replaceAllUsesWith(value);
    isChanged = true; // what is left without uses is dead, and LLVM removes it
  }
  return flowPreserved(isChanged);
}
