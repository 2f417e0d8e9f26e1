//===- FuseProducts.cpp - Fix which products are fused --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/FuseProducts.h"

#include "compiler/DeviceIR/OperandRanks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

static constexpr StringLiteral fixedName = "regrain.products.fixed";

namespace {

/// Returns whether `value` is a sum or difference that may be fused with a product.
bool isCandidate(const Value *value) {
  auto *sum = dyn_cast<BinaryOperator>(value);
  if (!sum || (sum->getOpcode() != Instruction::FAdd && sum->getOpcode() != Instruction::FSub) ||
      !sum->hasAllowContract())
    return false;
  Type *type = sum->getType()->getScalarType();
  return type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() || type->isBFloatTy();
}

/// Returns whether `user` adds the product to something: nvcc fuses no product that is computed for
/// anything else.
bool isAddedBy(const BinaryOperator &product, const User *user) {
  auto *fused = dyn_cast<IntrinsicInst>(user);
  return isCandidate(user) ||
         (fused && fused->getIntrinsicID() == Intrinsic::fmuladd &&
          fused->getArgOperand(0) != &product && fused->getArgOperand(1) != &product);
}

/// Returns `value` as a product that may be fused with `sum`, or null.
BinaryOperator *productFor(Value *value, const Instruction &sum) {
  auto *product = dyn_cast<BinaryOperator>(value);
  if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract())
    return nullptr;
  bool isOfBlock =
      product->getParent() == sum.getParent() &&
      (!Triple(sum.getModule()->getTargetTriple()).isNVPTX() ||
       all_of(product->users(), [&](User *user) { return isAddedBy(*product, user); }));
  return isOfBlock || all_of(product->users(), isCandidate) ? product : nullptr;
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

/// A sum that may be fused.
struct Candidate {
  WeakTrackingVH sum;
  /// Whether the right operand has the lower rank. The pipelines of LLVM and nvcc put that one
  /// first before they generate code.
  bool isRightFirst;
};

bool isRightFirst(const BinaryOperator &sum, const regrain::OperandRanks &ranks) {
  return sum.isCommutative() && ranks.rankOf(sum.getOperand(1)) < ranks.rankOf(sum.getOperand(0));
}

/// Returns the fused form of `sum`, or null. If both operands are products, the one with fewer uses
/// is fused, and the first one if both have equally many.
Value *fusedForm(BinaryOperator &sum, bool isRightFirst, IRBuilder<> &builder) {
  bool difference = sum.getOpcode() == Instruction::FSub;
  BinaryOperator *left = productFor(sum.getOperand(0), sum);
  BinaryOperator *right = productFor(sum.getOperand(1), sum);
  if (left && right) {
    unsigned leftUses = left->getNumUses(), rightUses = right->getNumUses();
    bool fusesRight = rightUses < leftUses || (rightUses == leftUses && isRightFirst);
    (fusesRight ? left : right) = nullptr;
  }
  if (left)
    return fuse(builder, left, sum.getOperand(1), false, difference);
  if (right)
    return fuse(builder, right, sum.getOperand(0), difference, false);
  return nullptr;
}

/// Replaces `sum` by its fused form, if there is one, and drops products without other uses.
void fuse(BinaryOperator &sum, bool isRightFirst) {
  IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  Value *fused = fusedForm(sum, isRightFirst, builder);
  if (!fused)
    return;
  SmallVector<WeakTrackingVH, 2> operands(sum.operands());
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  for (WeakTrackingVH &operand : operands)
    if (auto *product = dyn_cast_or_null<Instruction>(&*operand); product && product->use_empty())
      product->eraseFromParent();
}

/// Replaces a call of llvm.fmuladd by what `isFused` says.
void settle(IntrinsicInst &call, bool isFused) {
  IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1), *z = call.getArgOperand(2);
  Value *result = isFused ? builder.CreateIntrinsic(Intrinsic::fma, {call.getType()}, {x, y, z})
                          : builder.CreateFAdd(builder.CreateFMul(x, y), z);
  result->takeName(&call);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// Returns whether the code generator may make a fused operation of `instruction` and another one.
bool isPartOfFusion(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return is_contained({Instruction::FAdd, Instruction::FSub, Instruction::FMul},
                      instruction.getOpcode()) ||
         (call && call->getIntrinsicID() == Intrinsic::fma);
}

} // namespace

void regrain::fuseProducts(Function &function) {
  // What is erased beside a sum is one of its operands, which precedes it, or is in a block that
  // dominates its own.
  SmallVector<Candidate> candidates;
  for (Instruction &instruction : instructions(function))
    if (isCandidate(&instruction))
      candidates.push_back({&instruction, false});
  if (candidates.empty())
    return;
  regrain::OperandRanks ranks(function);
  for (Candidate &candidate : candidates)
    candidate.isRightFirst = isRightFirst(*cast<BinaryOperator>(&*candidate.sum), ranks);
  for (Candidate &candidate : candidates)
    if (auto *sum = dyn_cast_or_null<BinaryOperator>(&*candidate.sum))
      fuse(*sum, candidate.isRightFirst);
}

void regrain::allowContraction(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (isPartOfFusion(instruction))
      instruction.setHasAllowContract(true);
}

void regrain::settleProducts(Module &module, function_ref<bool(Type *)> hasFused) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (call && call->getIntrinsicID() == Intrinsic::fmuladd)
        settle(*call, hasFused(call->getType()));
    }
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isPartOfFusion(instruction))
        instruction.setHasAllowContract(false);
}

void regrain::markProductsFixed(Module &module) { module.getOrInsertNamedMetadata(fixedName); }

bool regrain::areProductsFixed(const Module &module) {
  return module.getNamedMetadata(fixedName) != nullptr;
}
