//===- FastMath.cpp - The effects of -use_fast_math -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/FastMath.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace regrain::nvptx {

void flushToZero(Module &module) {
  module.setModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

/// Returns whether the value is a square root that may be approximate.
static bool isRoot(const Value &value) {
  auto *call = dyn_cast<IntrinsicInst>(&value);
  return call && (call->getIntrinsicID() == Intrinsic::sqrt ||
                  call->getIntrinsicID() == Intrinsic::nvvm_sqrt_approx_f ||
                  call->getIntrinsicID() == Intrinsic::nvvm_sqrt_approx_ftz_f);
}

/// Returns the approximation of `instruction`, or null if it has none.
static Value *approximation(Instruction &instruction) {
  IRBuilder<> builder(&instruction);
  if (!instruction.getType()->isFloatTy())
    return nullptr;
  if (instruction.getOpcode() == Instruction::FDiv) {
    Value *dividend = instruction.getOperand(0), *divisor = instruction.getOperand(1);
    if (PatternMatch::match(dividend, PatternMatch::m_FPOne())) {
      bool isOfRoot = isRoot(*divisor) && divisor->hasOneUse();
      return isOfRoot ? builder.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_ftz_f, {},
                                                {cast<CallInst>(divisor)->getArgOperand(0)})
                      : builder.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {}, {divisor});
    }
    return builder.CreateIntrinsic(Intrinsic::nvvm_div_approx_ftz_f, {}, {dividend, divisor});
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == Intrinsic::sqrt)
    return builder.CreateIntrinsic(Intrinsic::nvvm_sqrt_approx_ftz_f, {}, {call->getArgOperand(0)});
  return nullptr;
}

void approximateDivisions(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (Value *approximate = approximation(instruction)) {
        instruction.replaceAllUsesWith(approximate);
        instruction.eraseFromParent();
      }
}

} // namespace regrain::nvptx
