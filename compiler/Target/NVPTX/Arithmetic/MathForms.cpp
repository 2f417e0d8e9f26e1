//===- MathForms.cpp - Forms of arithmetic that LLVM knows ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/MathForms.h"

#include "compiler/Folding/ReplaceCalls.h"
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

/// Returns whether the intrinsic is an approximation in one instruction, which cannot fault.
bool isApproximation(Intrinsic::ID id) {
  static constexpr Intrinsic::ID approximations[] = {
      Intrinsic::nvvm_cos_approx_f,       Intrinsic::nvvm_cos_approx_ftz_f,
      Intrinsic::nvvm_ex2_approx_f,       Intrinsic::nvvm_ex2_approx_ftz_f,
      Intrinsic::nvvm_lg2_approx_f,       Intrinsic::nvvm_lg2_approx_ftz_f,
      Intrinsic::nvvm_rcp_approx_ftz_d,   Intrinsic::nvvm_rcp_approx_ftz_f,
      Intrinsic::nvvm_rsqrt_approx_d,     Intrinsic::nvvm_rsqrt_approx_f,
      Intrinsic::nvvm_rsqrt_approx_ftz_d, Intrinsic::nvvm_rsqrt_approx_ftz_f,
      Intrinsic::nvvm_sin_approx_f,       Intrinsic::nvvm_sin_approx_ftz_f};
  return is_contained(approximations, id);
}

/// Returns a known form of the call, or null.
Value *knownForm(IntrinsicInst &call) {
  Value *argument = call.arg_empty() ? nullptr : call.getArgOperand(0);
  if (isAbsolute(call.getIntrinsicID(), *call.getFunction()))
    return IRBuilder<>(&call).CreateUnaryIntrinsic(Intrinsic::fabs, argument);
  return isExactRoot(call.getIntrinsicID()) ? rootOfConstant(*argument) : nullptr;
}

} // namespace

PreservedAnalyses UseKnownForms::run(Function &function, FunctionAnalysisManager &) {
  return replaceCalls(function, [](CallInst &call) -> Value * {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    return intrinsic ? knownForm(*intrinsic) : nullptr;
  });
}

void nameApproximations(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      Intrinsic::ID id = assembly ? intrinsicOf(*assembly) : Intrinsic::not_intrinsic;
      if (id == Intrinsic::not_intrinsic)
        continue;
      call->replaceAllUsesWith(IRBuilder<>(call).CreateIntrinsic(id, {}, {call->getArgOperand(0)}));
      call->eraseFromParent();
    }
  for (Function &function : module)
    if (isApproximation(function.getIntrinsicID()))
      function.addFnAttr(Attribute::Speculatable);
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
