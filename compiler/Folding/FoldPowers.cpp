//===- FoldPowers.cpp - Powers of constants -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folding/FoldPowers.h"

#include "compiler/Folding/ReplaceCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <cmath>

using namespace llvm;

/// Returns whether the callee computes the power of its first operand by its second one.
/// libdevice's inner function does so for bases that are positive.
static bool isPower(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && call.arg_size() == 2 && call.getType()->isDoubleTy() &&
         (callee->getName() == "__nv_pow" || callee->getName() == "__internal_accurate_pow");
}

/// Returns the power as a constant, or null.
static Constant *powerOf(const CallInst &call) {
  auto *base = dyn_cast<ConstantFP>(call.getArgOperand(0));
  auto *exponent = dyn_cast<ConstantFP>(call.getArgOperand(1));
  if (!base || !exponent || base->isNegative() || !base->getValueAPF().isNormal())
    return nullptr;
  double power =
      std::pow(base->getValueAPF().convertToDouble(), exponent->getValueAPF().convertToDouble());
  return std::isnormal(power) ? ConstantFP::get(call.getType(), power) : nullptr;
}

PreservedAnalyses regrain::FoldPowers::run(Function &function, FunctionAnalysisManager &) {
  return replaceCalls(function,
                      [](CallInst &call) { return isPower(call) ? powerOf(call) : nullptr; });
}
