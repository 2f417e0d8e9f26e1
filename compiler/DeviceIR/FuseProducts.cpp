//===- FuseProducts.cpp - Fix which products are fused --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/FuseProducts.h"

#include "compiler/DeviceIR/OperandRanks.h"
#include "compiler/DeviceIR/ProductFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
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

/// Returns whether LLVM and nvcc compute `value` in front of `loop`.
bool leaves(const Value *value, const Loop &loop, unsigned depth = 6) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return true;
  return depth > 0 && !isa<PHINode>(instruction) && !instruction->mayReadFromMemory() &&
         isSafeToSpeculativelyExecute(instruction) &&
         all_of(instruction->operands(),
                [&](const Value *operand) { return leaves(operand, loop, depth - 1); });
}

/// Returns whether an operation on an NVIDIA GPU reads `value` without a register of its own.
bool needsNoRegister(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  const Value *from = load ? getUnderlyingObject(load->getPointerOperand()) : value;
  auto *argument = dyn_cast<Argument>(from);
  return isa<Constant>(value) || (argument && (!load || argument->hasByValAttr()));
}

/// Which products a function's sums may be fused with.
class Products {
public:
  explicit Products(Function &function)
      : isForNvidia(Triple(function.getParent()->getTargetTriple()).isNVPTX()),
        dominators(function), loops(dominators) {}

  /// Returns `value` as a product that may be fused with `sum`, or null.
  BinaryOperator *productFor(Value *value, const Instruction &sum) const {
    auto *product = dyn_cast<BinaryOperator>(value);
    if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() ||
        isComputedBefore(*product, sum))
      return nullptr;
    bool isOfBlock = product->getParent() == sum.getParent() &&
                     (!isForNvidia || all_of(product->users(), [&](User *user) {
                       return isAddedBy(*product, user);
                     }));
    return isOfBlock || all_of(product->users(), isCandidate) ? product : nullptr;
  }

private:
  /// Returns whether the product is computed before the loop that has the sum. Fused, it would take
  /// another register in the loop, unless one of its factors needs none.
  bool isComputedBefore(const BinaryOperator &product, const Instruction &sum) const {
    const Loop *loop = isForNvidia ? loops.getLoopFor(sum.getParent()) : nullptr;
    return loop && none_of(product.operands(), needsNoRegister) && leaves(&product, *loop);
  }

  bool isForNvidia;
  DominatorTree dominators;
  LoopInfo loops;
};

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
Value *fusedForm(BinaryOperator &sum, bool isRightFirst, const Products &products,
                 IRBuilder<> &builder) {
  bool difference = sum.getOpcode() == Instruction::FSub;
  BinaryOperator *left = products.productFor(sum.getOperand(0), sum);
  BinaryOperator *right = products.productFor(sum.getOperand(1), sum);
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
void fuse(BinaryOperator &sum, bool isRightFirst, const Products &products) {
  IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  Value *fused = fusedForm(sum, isRightFirst, products, builder);
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

/// Returns whether all uses of the call are sums whose other operand is no product. nvcc fuses such
/// a product first.
bool isOnlyAdded(const CallInst &call) {
  return all_of(call.uses(), [&](const Use &use) {
    if (!isCandidate(use.getUser()))
      return false;
    auto *other = dyn_cast<Instruction>(use.getUser()->getOperand(1 - use.getOperandNo()));
    return !other || other->getOpcode() != Instruction::FMul;
  });
}

/// Shows the products in which functions of NVIDIA's library end, where sums can be fused with
/// them.
void exposeProducts(Function &function) {
  if (!Triple(function.getParent()->getTargetTriple()).isNVPTX())
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && regrain::returnsProduct(*call) && !call->use_empty() && isOnlyAdded(*call))
      regrain::exposeProduct(*call);
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
  exposeProducts(function);
  // What is erased beside a sum is one of its operands, which precedes it, or is in a block that
  // dominates its own.
  SmallVector<Candidate> candidates;
  for (Instruction &instruction : instructions(function))
    if (isCandidate(&instruction))
      candidates.push_back({&instruction, false});
  if (candidates.empty())
    return;
  regrain::OperandRanks ranks(function);
  Products products(function);
  for (Candidate &candidate : candidates)
    candidate.isRightFirst = isRightFirst(*cast<BinaryOperator>(&*candidate.sum), ranks);
  for (Candidate &candidate : candidates)
    if (auto *sum = dyn_cast_or_null<BinaryOperator>(&*candidate.sum))
      fuse(*sum, candidate.isRightFirst, products);
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
