//===- PlainArithmetic.cpp - Intrinsics as plain arithmetic ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/PlainArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/IntrinsicLowering.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns the upper or lower half of two numbers that are shifted as one. The shifts by the whole
/// width that this contains have no result, and are not selected.
Value *funnelShift(IRBuilder<> &builder, const IntrinsicInst &call, bool isLeft) {
  Value *upper = call.getArgOperand(0), *lower = call.getArgOperand(1);
  Constant *width = ConstantInt::get(call.getType(), call.getType()->getIntegerBitWidth());
  Value *count = builder.CreateURem(call.getArgOperand(2), width);
  Value *rest = builder.CreateSub(width, count);
  Value *shifted = builder.CreateOr(builder.CreateShl(upper, isLeft ? count : rest),
                                    builder.CreateLShr(lower, isLeft ? rest : count));
  return builder.CreateSelect(builder.CreateIsNull(count), isLeft ? upper : lower, shifted);
}

/// Returns -1, 0 or 1.
Value *order(IRBuilder<> &builder, const IntrinsicInst &call, CmpInst::Predicate isLess) {
  Value *left = call.getArgOperand(0), *right = call.getArgOperand(1);
  Type *type = call.getType();
  Value *other = builder.CreateZExt(builder.CreateICmpNE(left, right), type);
  return builder.CreateSelect(builder.CreateICmp(isLess, left, right),
                              Constant::getAllOnesValue(type), other);
}

/// Returns the number in plain operations; null for other intrinsics.
Value *plain(IRBuilder<> &builder, const IntrinsicInst &call) {
  auto operand = [&](unsigned index) { return call.getArgOperand(index); };
  switch (call.getIntrinsicID()) {
  case Intrinsic::usub_sat:
    return builder.CreateSelect(builder.CreateICmpULT(operand(0), operand(1)),
                                Constant::getNullValue(call.getType()),
                                builder.CreateSub(operand(0), operand(1)));
  case Intrinsic::uadd_sat: {
    Value *sum = builder.CreateAdd(operand(0), operand(1));
    return builder.CreateSelect(builder.CreateICmpULT(sum, operand(0)),
                                Constant::getAllOnesValue(call.getType()), sum);
  }
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return funnelShift(builder, call, call.getIntrinsicID() == Intrinsic::fshl);
  case Intrinsic::ucmp:
    return order(builder, call, CmpInst::ICMP_ULT);
  case Intrinsic::scmp:
    return order(builder, call, CmpInst::ICMP_SLT);
  default:
    return nullptr;
  }
}

/// Returns whether the product is too large. The division has no result where it is not selected.
Value *productOverflows(IRBuilder<> &builder, Value *product, Value *left, Value *right) {
  Value *differs = builder.CreateICmpNE(builder.CreateUDiv(product, left), right);
  return builder.CreateSelect(builder.CreateIsNull(left), builder.getFalse(), differs);
}

/// Replaces the parts of a result with overflow; leaves signed ones.
void expandOverflow(IRBuilder<> &builder, WithOverflowInst &call) {
  if (call.isSigned() || !all_of(call.users(), IsaPred<ExtractValueInst>))
    return;
  Value *left = call.getLHS(), *right = call.getRHS();
  Value *number = builder.CreateBinOp(call.getBinaryOp(), left, right);
  Value *overflows =
      call.getBinaryOp() == Instruction::Mul
          ? productOverflows(builder, number, left, right)
          : builder.CreateICmpULT(call.getBinaryOp() == Instruction::Add ? number : left,
                                  call.getBinaryOp() == Instruction::Add ? left : right);
  for (User *user : make_early_inc_range(call.users())) {
    auto *part = cast<ExtractValueInst>(user);
    part->replaceAllUsesWith(part->getIndices()[0] == 0 ? number : overflows);
    part->eraseFromParent();
  }
  call.eraseFromParent();
}

bool countsBits(const IntrinsicInst &call) {
  return is_contained({Intrinsic::ctpop, Intrinsic::ctlz, Intrinsic::cttz, Intrinsic::bswap},
                      call.getIntrinsicID());
}

} // namespace

void makeArithmeticPlain(Function &function) {
  IntrinsicLowering lowering(function.getParent()->getDataLayout());
  SmallVector<IntrinsicInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      calls.push_back(call);
  for (IntrinsicInst *call : calls) {
    IRBuilder<> builder(call);
    if (auto *overflow = dyn_cast<WithOverflowInst>(call)) {
      expandOverflow(builder, *overflow);
    } else if (call->getType()->isIntegerTy() && countsBits(*call)) {
      lowering.LowerIntrinsicCall(call);
    } else if (Value *number = call->getType()->isIntegerTy() ? plain(builder, *call) : nullptr) {
      call->replaceAllUsesWith(number);
      call->eraseFromParent();
    }
  }
}

} // namespace regrain
