//===- FuseProducts.cpp - Fix which products are fused --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/FuseProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// Returns `value` as a product that may be fused with `sum`, or null.
BinaryOperator *productFor(Value *value, const Instruction &sum) {
  auto *product = dyn_cast<BinaryOperator>(value);
  if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() ||
      product->getParent() != sum.getParent())
    return nullptr;
  return product;
}

/// Creates one fused multiply-add, x * y + z, with the signs that are asked for.
Value *fuse(IRBuilder<> &builder, BinaryOperator *product, Value *addend, bool negateProduct,
            bool negateAddend) {
  Value *factor = product->getOperand(0);
  if (negateProduct)
    factor = builder.CreateFNeg(factor);
  if (negateAddend)
    addend = builder.CreateFNeg(addend);
  return builder.CreateIntrinsic(Intrinsic::fmuladd, {addend->getType()},
                                 {factor, product->getOperand(1), addend});
}

/// Returns the fused form of `sum`, or null. If both operands are products, the one with fewer uses
/// is fused, and the left one if both have equally many.
Value *fusedForm(BinaryOperator &sum, IRBuilder<> &builder) {
  bool difference = sum.getOpcode() == Instruction::FSub;
  BinaryOperator *left = productFor(sum.getOperand(0), sum);
  BinaryOperator *right = productFor(sum.getOperand(1), sum);
  if (left && right)
    (left->getNumUses() > right->getNumUses() ? left : right) = nullptr;
  if (left)
    return fuse(builder, left, sum.getOperand(1), false, difference);
  if (right)
    return fuse(builder, right, sum.getOperand(0), difference, false);
  return nullptr;
}

bool isCandidate(const Instruction &instruction) {
  unsigned opcode = instruction.getOpcode();
  return (opcode == Instruction::FAdd || opcode == Instruction::FSub) &&
         (instruction.getType()->isFloatTy() || instruction.getType()->isDoubleTy()) &&
         instruction.hasAllowContract();
}

} // namespace

void regrain::fuseProducts(Function &function) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (!isCandidate(instruction))
        continue;
      auto &sum = cast<BinaryOperator>(instruction);
      IRBuilder<> builder(&sum);
      builder.setFastMathFlags(sum.getFastMathFlags());
      Value *fused = fusedForm(sum, builder);
      if (!fused)
        continue;
      SmallVector<WeakTrackingVH, 2> operands(sum.operands());
      fused->takeName(&sum);
      sum.replaceAllUsesWith(fused);
      sum.eraseFromParent();
      for (WeakTrackingVH &operand : operands)
        if (auto *product = dyn_cast_or_null<Instruction>(&*operand);
            product && product->use_empty())
          product->eraseFromParent();
    }
}
