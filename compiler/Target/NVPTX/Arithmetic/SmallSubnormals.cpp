//===- SmallSubnormals.cpp - Subnormal numbers of 16 bits -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/SmallSubnormals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <array>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The intrinsics of one operation: for half, two halves, bfloat and two bfloats.
using Family = std::array<Intrinsic::ID, 4>;

#define REGRAIN_FAMILY(NAME)                                                                       \
  Family {                                                                                         \
    Intrinsic::nvvm_##NAME##_f16, Intrinsic::nvvm_##NAME##_f16x2, Intrinsic::nvvm_##NAME##_bf16,   \
        Intrinsic::nvvm_##NAME##_bf16x2                                                            \
  }
const Family fusedFamily = REGRAIN_FAMILY(fma_rn);
const Family leastFamily = REGRAIN_FAMILY(fmin), greatestFamily = REGRAIN_FAMILY(fmax);
const Family leastOrNanFamily = REGRAIN_FAMILY(fmin_nan);
const Family greatestOrNanFamily = REGRAIN_FAMILY(fmax_nan);
#undef REGRAIN_FAMILY

const unsigned firstWithHalf = 53, firstWithBfloat = 80, firstWithLeast = 80;

bool isSmall(const Type *type) {
  return type->getScalarType()->isHalfTy() || type->getScalarType()->isBFloatTy();
}

bool isPair(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 2;
}

bool flushes(const Function &function) {
  return function.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
}

/// Returns whether the float is a bfloat that was extended, by an instruction or by its bits.
bool isOfBfloat(const Value *value) {
  if (auto *extension = dyn_cast<FPExtInst>(value))
    return extension->getSrcTy()->isBFloatTy();
  auto *bits = dyn_cast<BitCastInst>(value);
  return bits && bits->getSrcTy()->isIntegerTy(32) &&
         MaskedValueIsZero(bits->getOperand(0), APInt::getLowBitsSet(32, 16),
                           bits->getModule()->getDataLayout());
}

bool isRoundedToBfloat(const User *user) {
  return isa<FPTruncInst>(user) && user->getType()->isBFloatTy();
}

/// Returns the square root that does not flush, of the same precision; none for other intrinsics.
Intrinsic::ID rootOf(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sqrt:
  case Intrinsic::nvvm_sqrt_f:
  case Intrinsic::nvvm_sqrt_rn_ftz_f:
    return Intrinsic::nvvm_sqrt_rn_f;
  case Intrinsic::nvvm_sqrt_approx_ftz_f:
    return Intrinsic::nvvm_sqrt_approx_f;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// Returns the name that `setp` has for a predicate; empty for a constant.
StringRef comparisonOf(CmpInst::Predicate predicate) {
  static const StringRef names[] = {"",    "eq",  "gt",  "ge",  "lt",  "le",  "ne",  "num",
                                    "nan", "equ", "gtu", "geu", "ltu", "leu", "neu", ""};
  static_assert(CmpInst::FCMP_FALSE == 0 && CmpInst::FCMP_OEQ == 1 && CmpInst::FCMP_ORD == 7 &&
                CmpInst::FCMP_UNE == 14 && CmpInst::FCMP_TRUE == 15);
  return names[predicate];
}

/// Builds the replacement of one instruction in front of it.
class Replacement {
public:
  Replacement(Instruction &instruction, unsigned chip)
      : old(instruction), chip(chip), builder(&instruction) {}

  /// Returns the new value, and null if the instruction stays.
  Value *build() {
    switch (old.getOpcode()) {
    case Instruction::FAdd:
      return hasArithmetic(old.getType()) ? sum() : nullptr;
    case Instruction::FSub:
      return hasArithmetic(old.getType()) ? difference() : nullptr;
    case Instruction::FMul:
      return hasArithmetic(old.getType()) ? fused(operand(0), operand(1), constant(-0.0)) : nullptr;
    case Instruction::FDiv:
      return inFloat(Intrinsic::nvvm_div_rn_f, {operand(0), operand(1)});
    case Instruction::FNeg:
      return isSmall(old.getType()) ? negated(operand(0)) : nullptr;
    case Instruction::FCmp:
      return isSmall(operand(0)->getType()) ? comparison() : nullptr;
    case Instruction::FPExt:
      return extension();
    case Instruction::Call:
      return call();
    default:
      return nullptr;
    }
  }

private:
  Instruction &old;
  unsigned chip;
  IRBuilder<> builder;

  Value *operand(unsigned index) const { return old.getOperand(index); }
  Value *constant(double value) const { return ConstantFP::get(old.getType(), value); }

  bool hasArithmetic(const Type *type) const {
    return (type->getScalarType()->isHalfTy() && chip >= firstWithHalf) ||
           (type->getScalarType()->isBFloatTy() && chip >= firstWithBfloat);
  }

  /// Applies `compute` to values, element by element if there are other than one or two.
  Value *forElements(ArrayRef<Value *> values, function_ref<Value *(ArrayRef<Value *>)> compute,
                     Type *result) {
    auto *vector = dyn_cast<FixedVectorType>(values[0]->getType());
    if (!vector)
      return compute(values);
    Value *all = PoisonValue::get(result);
    for (unsigned index = 0; index < vector->getNumElements(); ++index) {
      SmallVector<Value *, 3> elements;
      for (Value *value : values)
        elements.push_back(builder.CreateExtractElement(value, index));
      all = builder.CreateInsertElement(all, compute(elements), index);
    }
    return all;
  }

  Value *apply(const Family &family, ArrayRef<Value *> values) {
    auto once = [&](ArrayRef<Value *> parts) -> Value * {
      Type *type = parts[0]->getType();
      unsigned index = (type->getScalarType()->isBFloatTy() ? 2 : 0) + isPair(type);
      return builder.CreateIntrinsic(family[index], {}, parts);
    };
    Type *type = values[0]->getType();
    return isPair(type) ? once(values) : forElements(values, once, type);
  }

  Value *fused(Value *a, Value *b, Value *c) { return apply(fusedFamily, {a, b, c}); }

  /// Flips the sign of one or two halves. LLVM would make a negation of an exclusive or that it
  /// understands, and flush subnormal numbers in it.
  Value *flippedHalves(Value *value) {
    bool isTwo = isPair(value->getType());
    Type *word = isTwo ? builder.getInt32Ty() : builder.getInt16Ty();
    auto *flip = InlineAsm::get(FunctionType::get(word, {word}, false),
                                isTwo ? "xor.b32 $0, $1, 0x80008000;" : "xor.b16 $0, $1, 0x8000;",
                                isTwo ? "=r,r" : "=h,h", /*hasSideEffects=*/false);
    Value *flipped = builder.CreateCall(flip, {builder.CreateBitCast(value, word)});
    return builder.CreateBitCast(flipped, value->getType());
  }

  Value *negated(Value *value) {
    Type *type = value->getType(), *bits = type->getWithNewType(builder.getInt16Ty());
    if (type->getScalarType()->isHalfTy())
      return isPair(type)
                 ? flippedHalves(value)
                 : forElements(
                       {value}, [&](ArrayRef<Value *> parts) { return flippedHalves(parts[0]); },
                       type);
    Value *flipped =
        builder.CreateXor(builder.CreateBitCast(value, bits), ConstantInt::get(bits, 0x8000));
    return builder.CreateBitCast(flipped, type);
  }

  /// Returns the product that may be fused with the instruction, or null.
  BinaryOperator *product(unsigned index) const {
    auto *factor = dyn_cast<BinaryOperator>(operand(index));
    bool isFusible = factor && factor->getOpcode() == Instruction::FMul && factor->hasOneUse() &&
                     factor->hasAllowContract() && old.hasAllowContract();
    return isFusible ? factor : nullptr;
  }

  Value *sum() {
    for (unsigned index : {0u, 1u})
      if (BinaryOperator *factor = product(index))
        return fused(factor->getOperand(0), factor->getOperand(1), operand(1 - index));
    return fused(operand(0), constant(1), operand(1));
  }

  Value *difference() {
    if (BinaryOperator *factor = product(0))
      return fused(factor->getOperand(0), factor->getOperand(1), negated(operand(1)));
    if (BinaryOperator *factor = product(1))
      return fused(negated(factor->getOperand(0)), factor->getOperand(1), operand(0));
    return fused(operand(1), constant(-1), operand(0));
  }

  /// Returns the float that a bfloat is the upper half of.
  Value *widened(Value *value) {
    Type *type = value->getType();
    Type *half = type->getWithNewType(builder.getInt16Ty());
    Type *word = type->getWithNewType(builder.getInt32Ty());
    Value *bits = builder.CreateZExt(builder.CreateBitCast(value, half), word);
    return builder.CreateBitCast(builder.CreateShl(bits, 16),
                                 type->getWithNewType(builder.getFloatTy()));
  }

  /// A half is a normal float, so float compares it; a subnormal bfloat is a subnormal float.
  Value *comparison() {
    CmpInst::Predicate predicate = cast<FCmpInst>(old).getPredicate();
    Type *type = operand(0)->getType();
    if (type->getScalarType()->isHalfTy()) {
      Type *wide = type->getWithNewType(builder.getFloatTy());
      return builder.CreateFCmp(predicate, builder.CreateFPExt(operand(0), wide),
                                builder.CreateFPExt(operand(1), wide));
    }
    StringRef name = comparisonOf(predicate);
    if (name.empty())
      return nullptr;
    Type *single = builder.getFloatTy();
    InlineAsm *compare =
        InlineAsm::get(FunctionType::get(builder.getInt1Ty(), {single, single}, false),
                       ("setp." + name + ".f32 $0, $1, $2;").str(), "=b,f,f", false);
    return forElements(
        {widened(operand(0)), widened(operand(1))},
        [&](ArrayRef<Value *> values) { return builder.CreateCall(compare, values); },
        old.getType());
  }

  Value *extension() {
    if (!operand(0)->getType()->getScalarType()->isBFloatTy())
      return nullptr;
    Value *wide = widened(operand(0));
    return wide->getType() == old.getType() ? wide : builder.CreateFPExt(wide, old.getType());
  }

  /// Computes a quotient or a root of bfloats, in bfloat or in float, by an instruction for floats
  /// that does not flush; returns null for other values. Those of halves are no subnormal floats.
  Value *inFloat(Intrinsic::ID id, ArrayRef<Value *> values) {
    if (old.getType()->isFloatTy())
      return all_of(values, isOfBfloat) && all_of(old.users(), isRoundedToBfloat)
                 ? builder.CreateIntrinsic(id, {}, values)
                 : nullptr;
    Type *type = old.getType()->getScalarType();
    if (!type->isBFloatTy())
      return nullptr;
    auto once = [&](ArrayRef<Value *> parts) -> Value * {
      SmallVector<Value *, 2> floats;
      for (Value *part : parts)
        floats.push_back(widened(part));
      return builder.CreateFPTrunc(builder.CreateIntrinsic(id, {}, floats), type);
    };
    return forElements(values, once, old.getType());
  }

  /// Returns the smaller or larger of two floats that both are bfloats: it is one of them.
  Value *choice(Intrinsic::ID id, ArrayRef<Value *> values) {
    return all_of(values, isOfBfloat) ? builder.CreateIntrinsic(id, {}, values) : nullptr;
  }

  Value *call() {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&old);
    if (!intrinsic)
      return nullptr;
    SmallVector<Value *, 3> values(intrinsic->args());
    Intrinsic::ID id = intrinsic->getIntrinsicID();
    if (Intrinsic::ID root = rootOf(id))
      return inFloat(root, values);
    if (id == Intrinsic::minnum && old.getType()->isFloatTy())
      return choice(Intrinsic::nvvm_fmin_f, values);
    if (id == Intrinsic::maxnum && old.getType()->isFloatTy())
      return choice(Intrinsic::nvvm_fmax_f, values);
    if (!hasArithmetic(old.getType()))
      return nullptr;
    if (id == Intrinsic::fma || id == Intrinsic::fmuladd)
      return apply(fusedFamily, values);
    if (chip < firstWithLeast)
      return nullptr;
    switch (id) {
    case Intrinsic::minnum:
      return apply(leastFamily, values);
    case Intrinsic::maxnum:
      return apply(greatestFamily, values);
    case Intrinsic::minimum:
      return apply(leastOrNanFamily, values);
    case Intrinsic::maximum:
      return apply(greatestOrNanFamily, values);
    default:
      return nullptr;
    }
  }
};

} // namespace

void keepSmallSubnormals(Module &module, unsigned chip) {
  for (Function &function : module) {
    if (!flushes(function))
      continue;
    SmallVector<Instruction *> all(make_pointer_range(instructions(function)));
    // Users come first, so that a sum sees the product that it is fused with.
    for (Instruction *instruction : reverse(all))
      if (Value *value = Replacement(*instruction, chip).build()) {
        instruction->replaceAllUsesWith(value);
        instruction->eraseFromParent();
      }
  }
}

} // namespace regrain::nvptx
