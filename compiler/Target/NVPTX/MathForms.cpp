//===- MathForms.cpp - Forms of arithmetic that LLVM knows ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/MathForms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cmath>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the intrinsic of an instruction as the math library writes it.
Intrinsic::ID intrinsicOf(const InlineAsm &assembly) {
  if (assembly.hasSideEffects())
    return Intrinsic::not_intrinsic;
  std::string text;
  for (char c : assembly.getAsmString())
    if (c != ' ')
      text += c;
  return StringSwitch<Intrinsic::ID>(text + assembly.getConstraintString())
      .Case("rcp.approx.ftz.f32$0,$1;=f,f", Intrinsic::nvvm_rcp_approx_ftz_f)
      .Case("rsqrt.approx.ftz.f64$0,$1;=d,d", Intrinsic::nvvm_rsqrt_approx_ftz_d)
      .Default(Intrinsic::not_intrinsic);
}

bool flushesFloats(const Function &function) {
  return function.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
}

/// Returns whether the intrinsic is an absolute value, in the function's way to treat subnormals.
bool isAbsolute(Intrinsic::ID id, const Function &function) {
  return id == Intrinsic::nvvm_fabs_d ||
         (id == Intrinsic::nvvm_fabs_f && !flushesFloats(function)) ||
         (id == Intrinsic::nvvm_fabs_ftz_f && flushesFloats(function));
}

/// Returns whether the intrinsic is a square root that is rounded to nearest.
bool isExactRoot(Intrinsic::ID id) {
  return id == Intrinsic::nvvm_sqrt_rn_d || id == Intrinsic::nvvm_sqrt_rn_f ||
         id == Intrinsic::nvvm_sqrt_rn_ftz_f;
}

/// Returns the square root of a constant that is zero or a normal number, and else null. So is the
/// root, and it does not matter whether subnormal numbers are flushed.
Constant *rootOfConstant(const Value &value) {
  auto *constant = dyn_cast<ConstantFP>(&value);
  if (!constant)
    return nullptr;
  const APFloat &number = constant->getValueAPF();
  if (!number.isZero() && (!number.isNormal() || number.isNegative()))
    return nullptr;
  if (value.getType()->isFloatTy())
    return ConstantFP::get(value.getContext(), APFloat(std::sqrt(number.convertToFloat())));
  return ConstantFP::get(value.getContext(), APFloat(std::sqrt(number.convertToDouble())));
}

/// Returns a known form of the call, or null.
Value *knownForm(CallInst &call) {
  IRBuilder<> builder(&call);
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    Intrinsic::ID id = intrinsicOf(*assembly);
    return id == Intrinsic::not_intrinsic
               ? nullptr
               : builder.CreateIntrinsic(id, {}, {call.getArgOperand(0)});
  }
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic)
    return nullptr;
  if (isAbsolute(intrinsic->getIntrinsicID(), *call.getFunction()))
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, call.getArgOperand(0));
  return isExactRoot(intrinsic->getIntrinsicID()) ? rootOfConstant(*call.getArgOperand(0))
                                                  : nullptr;
}

} // namespace

PreservedAnalyses UseKnownForms::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Value *known = call ? knownForm(*call) : nullptr;
    if (!known)
      continue;
    call->replaceAllUsesWith(known);
    call->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void copySignsByBits(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      Type *type = instruction.getType();
      if (!call || call->getIntrinsicID() != Intrinsic::copysign ||
          !(type->isFloatTy() || type->isDoubleTy()))
        continue;
      IRBuilder<> builder(call);
      unsigned width = type->getPrimitiveSizeInBits();
      Type *bits = builder.getIntNTy(width);
      // With one constant only, ptxas needs one instruction; (a & ~sign) | (b & sign) takes two.
      APInt sizeMask = APInt::getSignedMaxValue(width);
      Value *size = builder.CreateBitCast(call->getArgOperand(0), bits);
      Value *sign = builder.CreateBitCast(call->getArgOperand(1), bits);
      Value *other = builder.CreateAnd(builder.CreateXor(size, sign), sizeMask);
      call->replaceAllUsesWith(builder.CreateBitCast(builder.CreateXor(other, sign), type));
      call->eraseFromParent();
    }
}

} // namespace regrain::nvptx
