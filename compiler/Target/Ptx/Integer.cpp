//===- Integer.cpp - Integer arithmetic in inline PTX ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// Emits a + b + carry, or a - b - borrow, and sets the carry if `cc` asks for it. The hardware has
/// one bit for both, which is set if nothing is borrowed.
Value *addOrSubtract(Emitter &emitter, Value *a, Value *b, bool subtracts, Value *carry, bool cc) {
  IRBuilder<> &builder = emitter.builder;
  Value *out = builder.getFalse();
  auto step = [&](Value *left, Value *right) {
    if (!cc)
      return subtracts ? builder.CreateSub(left, right) : builder.CreateAdd(left, right);
    Value *both = builder.CreateBinaryIntrinsic(
        subtracts ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow, left, right);
    out = builder.CreateOr(out, builder.CreateExtractValue(both, 1));
    return builder.CreateExtractValue(both, 0);
  };
  Value *result = step(a, b);
  if (carry)
    result = step(result,
                  builder.CreateZExt(subtracts ? builder.CreateNot(carry) : carry, a->getType()));
  if (cc)
    emitter.setCarry(subtracts ? builder.CreateNot(out) : out);
  return result;
}

/// Removes .s16x2 or .u16x2, and returns operands 1 and 2 as pairs of halves; nulls if there is
/// none.
std::pair<Value *, Value *> takePairs(Emitter &emitter, bool &areSigned) {
  StringRef name = emitter.takeAny({"s16x2", "u16x2"});
  if (name.empty() || !emitter.isRead(3))
    return {};
  areSigned = name.front() == 's';
  llvm::Type *pair = FixedVectorType::get(emitter.builder.getInt16Ty(), 2);
  ArrayRef<Operand> operands = emitter.instruction.operands;
  return {emitter.value(operands[1], pair), emitter.value(operands[2], pair)};
}

/// Emits add, sub, addc and subc; .cc writes the carry.
bool emitSum(Emitter &emitter, StringRef name) {
  bool areSigned = false;
  if (auto [a, b] = takePairs(emitter, areSigned); name == "add" && a && b)
    return emitter.set(0, emitter.builder.CreateAdd(a, b));
  bool subtracts = name.starts_with("sub"), reads = name.ends_with("c");
  bool saturates = !reads && emitter.take("sat"), cc = emitter.take("cc");
  std::optional<Type> type = emitter.takeType();
  if (!type || type->isFloat() || type->kind == 'b' || type->bits == 8 || !emitter.isRead(3) ||
      (saturates && (!type->isSigned() || type->bits != 32)))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type);
  Value *carry = reads ? emitter.carry() : nullptr;
  if (!a || !b || (reads && !carry))
    return false;
  if (saturates)
    return emitter.set(0, emitter.builder.CreateBinaryIntrinsic(
                              subtracts ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, a, b));
  return emitter.set(0, addOrSubtract(emitter, a, b, subtracts, carry, cc));
}

/// Returns the low or high half of a product, or all of it (wide).
Value *product(Emitter &emitter, Value *a, Value *b, Type type, StringRef part) {
  IRBuilder<> &builder = emitter.builder;
  if (part == "lo")
    return builder.CreateMul(a, b);
  llvm::Type *wide = builder.getIntNTy(2 * type.bits);
  Value *all = builder.CreateMul(builder.CreateIntCast(a, wide, type.isSigned()),
                                 builder.CreateIntCast(b, wide, type.isSigned()));
  return part == "wide"
             ? all
             : builder.CreateTrunc(builder.CreateLShr(all, uint64_t(type.bits)), a->getType());
}

/// Emits mul, mad and madc with .lo, .hi and .wide; mad.cc and madc use carries.
bool emitProduct(Emitter &emitter, StringRef name) {
  bool adds = name != "mul", reads = name == "madc", cc = adds && emitter.take("cc");
  StringRef part = emitter.takeAny({"lo", "hi", "wide"});
  std::optional<Type> type = emitter.takeType();
  if (!type || type->isFloat() || type->kind == 'b' || type->bits == 8 || part.empty() ||
      !emitter.isRead(adds ? 4 : 3) || (part == "wide" && (cc || reads || type->bits == 64)))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type);
  if (!a || !b)
    return false;
  Value *result = product(emitter, a, b, *type, part);
  if (!adds)
    return emitter.set(0, result);
  Value *c = emitter.value(emitter.instruction.operands[3], result->getType());
  Value *carry = reads ? emitter.carry() : nullptr;
  if (!c || (reads && !carry))
    return false;
  return emitter.set(0, addOrSubtract(emitter, result, c, false, carry, cc));
}

/// Emits mul24.lo and mad24.lo, which use the low 24 bits.
bool emitShortProduct(Emitter &emitter, bool adds) {
  IRBuilder<> &builder = emitter.builder;
  bool low = emitter.take("lo");
  std::optional<Type> type = emitter.takeType();
  if (!low || !type || type->bits != 32 || !emitter.isRead(adds ? 4 : 3))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type);
  Value *c = adds ? emitter.value(3, *type) : builder.getInt32(0);
  if (!a || !b || !c)
    return false;
  auto shorten = [&](Value *value) {
    return builder.CreateIntCast(builder.CreateTrunc(value, builder.getIntNTy(24)),
                                 builder.getInt32Ty(), type->isSigned());
  };
  return emitter.set(0, builder.CreateAdd(builder.CreateMul(shorten(a), shorten(b)), c));
}

/// Emits min and max; .relu makes a negative result 0.
bool emitMinimum(Emitter &emitter, bool isMinimum) {
  IRBuilder<> &builder = emitter.builder;
  bool limits = emitter.take("relu"), isSigned = false;
  auto [a, b] = takePairs(emitter, isSigned);
  bool limitsWord = false;
  if (!a) {
    std::optional<Type> type = emitter.takeType();
    if (!type || type->kind == 'b' || type->bits == 8 || !emitter.isRead(3))
      return false;
    isSigned = type->isSigned();
    limitsWord = type->bits == 32;
    a = emitter.value(1, *type), b = emitter.value(2, *type);
  }
  if (!a || !b || (limits && !(isSigned && (limitsWord || a->getType()->isVectorTy()))))
    return false;
  Intrinsic::ID id = isSigned ? (isMinimum ? Intrinsic::smin : Intrinsic::smax)
                              : (isMinimum ? Intrinsic::umin : Intrinsic::umax);
  Value *result = builder.CreateBinaryIntrinsic(id, a, b);
  if (limits)
    result = builder.CreateBinaryIntrinsic(Intrinsic::smax, result,
                                           Constant::getNullValue(result->getType()));
  return emitter.set(0, result);
}

/// Emits abs and neg.
bool emitSign(Emitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  Value *a = type && type->isSigned() && emitter.isRead(2) ? emitter.value(1, *type) : nullptr;
  if (!a)
    return false;
  Value *negative = builder.CreateNeg(a);
  return emitter.set(
      0, name == "neg"
             ? negative
             : builder.CreateSelect(builder.CreateICmpSLT(a, Constant::getNullValue(a->getType())),
                                    negative, a));
}

/// Emits sad: |a - b| + c.
bool emitDifference(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  if (!type || type->kind == 'b' || type->isFloat() || !emitter.isRead(4))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type), *c = emitter.value(3, *type);
  if (!a || !b || !c)
    return false;
  Value *less = type->isSigned() ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
  Value *apart = builder.CreateSelect(less, builder.CreateSub(b, a), builder.CreateSub(a, b));
  return emitter.set(0, builder.CreateAdd(apart, c));
}

/// Emits div and rem. In PTX, division by zero has an unspecified result and does not trap; here it
/// is all ones, with the dividend as remainder.
bool emitDivision(Emitter &emitter, bool isRemainder) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  if (!type || type->kind == 'b' || type->bits == 8 || !emitter.isRead(3))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type);
  if (!a || !b)
    return false;
  Constant *zero = Constant::getNullValue(b->getType()), *one = ConstantInt::get(b->getType(), 1),
           *allOnes = Constant::getAllOnesValue(b->getType());
  Value *none = builder.CreateICmpEQ(b, zero);
  // The minimum has no positive counterpart.
  Value *negates = type->isSigned() ? builder.CreateICmpEQ(b, allOnes) : builder.getFalse();
  Value *divisor = builder.CreateSelect(builder.CreateOr(none, negates), one, b);
  auto select = [&](Value *byZero, Value *byMinusOne, Value *otherwise) {
    return builder.CreateSelect(none, byZero, builder.CreateSelect(negates, byMinusOne, otherwise));
  };
  if (isRemainder)
    return emitter.set(0, select(a, zero,
                                 type->isSigned() ? builder.CreateSRem(a, divisor)
                                                  : builder.CreateURem(a, divisor)));
  return emitter.set(0, select(allOnes, builder.CreateNeg(a),
                               type->isSigned() ? builder.CreateSDiv(a, divisor)
                                                : builder.CreateUDiv(a, divisor)));
}

} // namespace

bool emitInteger(Emitter &emitter, StringRef name) {
  if (name == "add" || name == "sub" || name == "addc" || name == "subc")
    return emitSum(emitter, name);
  if (name == "mul" || name == "mad" || name == "madc")
    return emitProduct(emitter, name);
  if (name == "mul24" || name == "mad24")
    return emitShortProduct(emitter, name == "mad24");
  if (name == "min" || name == "max")
    return emitMinimum(emitter, name == "min");
  if (name == "abs" || name == "neg")
    return emitSign(emitter, name);
  if (name == "div" || name == "rem")
    return emitDivision(emitter, name == "rem");
  return name == "sad" && emitDifference(emitter);
}

} // namespace regrain::ptx
