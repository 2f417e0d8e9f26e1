//===- Predicates.cpp - Conditions as the machine computes them -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/Predicates.h"
#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the selection as logic; null if it is none between two conditions. LLVM makes logic of a
/// selection of a constant itself. A selection hides poison of the side that is not taken, which
/// logic does not.
Value *asLogic(SelectInst &selection, IRBuilder<> &builder) {
  Value *condition = selection.getCondition();
  Value *yes = selection.getTrueValue(), *no = selection.getFalseValue();
  if (!selection.getType()->isIntegerTy(1) || isa<Constant>(yes) || isa<Constant>(no))
    return nullptr;
  Value *taken = builder.CreateAnd(condition, builder.CreateFreeze(yes));
  Value *other = builder.CreateAnd(builder.CreateNot(condition), builder.CreateFreeze(no));
  return builder.CreateOr(taken, other);
}

/// Returns the question whether a number is finite, or is not, as a comparison; null for others.
/// NaN is less than nothing.
Value *asComparison(IntrinsicInst &question, IRBuilder<> &builder) {
  if (question.getIntrinsicID() != Intrinsic::is_fpclass)
    return nullptr;
  Value *number = question.getArgOperand(0);
  auto classes =
      static_cast<FPClassTest>(cast<ConstantInt>(question.getArgOperand(1))->getZExtValue());
  bool isOfKnownSize = number->getType()->isFloatTy() || number->getType()->isDoubleTy();
  if (!isOfKnownSize || (classes != fcFinite && classes != (fcInf | fcNan)))
    return nullptr;
  Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  Value *infinity = ConstantFP::getInfinity(number->getType());
  return classes == fcFinite ? builder.CreateFCmpOLT(size, infinity)
                             : builder.CreateFCmpUGE(size, infinity);
}

} // namespace

bool usePredicates(Function &function) {
  bool isChanged = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    Value *form = nullptr;
    if (auto *selection = dyn_cast<SelectInst>(&instruction))
      form = asLogic(*selection, builder);
    else if (auto *question = dyn_cast<IntrinsicInst>(&instruction))
      form = asComparison(*question, builder);
    if (!form)
      continue;
    instruction.replaceAllUsesWith(form);
    instruction.eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}

FunctionPass *createUsePredicates() { return new LateRewrite<usePredicates>(); }

} // namespace regrain::nvptx
