//===- Bits.cpp - Logic and shifts in inline PTX --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

constexpr Type word{'b', 32, 1};

/// Emits and, or, xor; not, cnot.
bool emitLogic(Emitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  bool one = name == "not" || name == "cnot";
  std::optional<Type> type = emitter.takeType();
  if (!type || (type->kind != 'b' && !type->isPredicate()) || !emitter.isRead(one ? 2 : 3))
    return false;
  Value *a = emitter.value(1, *type), *b = one ? a : emitter.value(2, *type);
  if (!a || !b)
    return false;
  if (name == "not")
    return emitter.set(0, builder.CreateNot(a));
  if (name == "cnot")
    return !type->isPredicate() &&
           emitter.set(0, builder.CreateZExt(builder.CreateIsNull(a), a->getType()));
  return emitter.set(0, name == "and"  ? builder.CreateAnd(a, b)
                        : name == "or" ? builder.CreateOr(a, b)
                                       : builder.CreateXor(a, b));
}

/// Emits shl and shr: a shift by the number of bits or more clears all of them.
bool emitShift(Emitter &emitter, bool left) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType();
  if (!type || type->isFloat() || type->isPredicate() || !emitter.isRead(3))
    return false;
  Value *a = emitter.value(1, *type), *count = emitter.value(2, word);
  if (!a || !count)
    return false;
  bool keepsSign = !left && type->isSigned();
  Value *most = builder.getInt32(type->bits - 1);
  Value *inside = builder.CreateICmpULE(count, most);
  Value *by = builder.CreateZExtOrTrunc(builder.CreateSelect(inside, count, most), a->getType());
  if (keepsSign)
    return emitter.set(0, builder.CreateAShr(a, by));
  Value *shifted = left ? builder.CreateShl(a, by) : builder.CreateLShr(a, by);
  return emitter.set(0,
                     builder.CreateSelect(inside, shifted, Constant::getNullValue(a->getType())));
}

/// Emits popc, clz, brev and bfind.
bool emitCount(Emitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  bool shifts = emitter.take("shiftamt");
  std::optional<Type> type = emitter.takeType();
  bool finds = name == "bfind", wide = type && type->bits == 64;
  if (!type || (type->bits != 32 && !wide) || type->kind != (finds ? 'u' : 'b') ||
      (shifts && !finds) || !emitter.isRead(2))
    return false;
  Value *a = emitter.value(1, *type);
  if (!a)
    return false;
  if (name == "brev")
    return emitter.set(0, builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, a));
  Value *count = name == "popc" ? builder.CreateUnaryIntrinsic(Intrinsic::ctpop, a)
                                : builder.CreateIntrinsic(Intrinsic::ctlz, {a->getType()},
                                                          {a, builder.getFalse()});
  if (finds) {
    Value *place =
        shifts ? count : builder.CreateSub(ConstantInt::get(a->getType(), type->bits - 1), count);
    count = builder.CreateSelect(builder.CreateIsNull(a), Constant::getAllOnesValue(a->getType()),
                                 place);
  }
  return emitter.set(0, builder.CreateTrunc(count, builder.getInt32Ty()));
}

/// Emits instructions on words that the device library implements.
bool emitWords(Emitter &emitter, StringRef function, unsigned operands) {
  SmallVector<Value *> values;
  for (unsigned i = 1; i <= operands; ++i)
    values.push_back(emitter.value(i, word));
  return emitter.isRead(1 + operands) && !is_contained(values, nullptr) &&
         emitter.set(0, emitter.call(function, emitter.builder.getInt32Ty(), values));
}

/// Emits bmsk: a mask of `length` bits from `position` on.
bool emitMask(Emitter &emitter) {
  StringRef mode = emitter.takeAny({"clamp", "wrap"});
  std::optional<Type> type = emitter.takeType();
  return !mode.empty() && type && type->kind == 'b' && type->bits == 32 &&
         emitWords(emitter, ("regrain_bmsk_" + mode).str(), 2);
}

/// Emits szext: the low `b` bits of a, with zeros or the sign above them. No bits are 0, and 32
/// bits are all with .clamp.
bool emitExtension(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  StringRef mode = emitter.takeAny({"clamp", "wrap"});
  std::optional<Type> type = emitter.takeType();
  if (mode.empty() || !type || type->bits != 32 || (type->kind != 'u' && type->kind != 's') ||
      !emitter.isRead(3))
    return false;
  Value *a = emitter.value(1, *type), *count = emitter.value(2, word);
  if (!a || !count)
    return false;
  count = mode == "wrap"
              ? builder.CreateAnd(count, 31)
              : builder.CreateBinaryIntrinsic(Intrinsic::umin, count, builder.getInt32(32));
  llvm::Type *wide = builder.getInt64Ty(); // a shift by 32 bits is none of a word
  Value *above = builder.CreateSub(builder.getInt64(64), builder.CreateZExt(count, wide));
  Value *isNone = builder.CreateICmpEQ(count, builder.getInt32(0));
  above = builder.CreateSelect(isNone, builder.getInt64(0), above);
  Value *bits = builder.CreateShl(builder.CreateZExt(a, wide), above);
  bits = type->isSigned() ? builder.CreateAShr(bits, above) : builder.CreateLShr(bits, above);
  return emitter.set(0, builder.CreateSelect(isNone, builder.getInt32(0),
                                             builder.CreateTrunc(bits, builder.getInt32Ty())));
}

/// Emits prmt, lop3, bfe, bfi and shf of 32 bits.
bool emitField(Emitter &emitter, StringRef name) {
  std::string function = ("regrain_" + name).str();
  if (name == "shf")
    for (std::initializer_list<StringRef> choices :
         {std::initializer_list<StringRef>{"l", "r"}, {"wrap", "clamp"}}) {
      StringRef chosen = emitter.takeAny(choices);
      if (chosen.empty())
        return false;
      function += ("_" + chosen).str();
    }
  std::optional<Type> type = emitter.takeType();
  if (!type || type->bits != 32 || (type->kind == 'b') == (name == "bfe"))
    return false;
  if (name == "bfe")
    return emitWords(emitter, type->isSigned() ? "regrain_bfe_s32" : "regrain_bfe_u32", 3);
  if (name == "prmt")
    return emitWords(emitter, "nvvm_prmt", 3);
  if (name == "shf")
    return emitWords(emitter, function, 3);
  return emitWords(emitter, function + "_b32", 4);
}

} // namespace

bool emitBits(Emitter &emitter, StringRef name) {
  if (name == "and" || name == "or" || name == "xor" || name == "not" || name == "cnot")
    return emitLogic(emitter, name);
  if (name == "shl" || name == "shr")
    return emitShift(emitter, name == "shl");
  if (name == "popc" || name == "clz" || name == "brev" || name == "bfind")
    return emitCount(emitter, name);
  if (name == "szext")
    return emitExtension(emitter);
  if (name == "fns")
    return emitter.take("b32") && emitWords(emitter, "nvvm_fns", 3);
  return name == "bmsk" ? emitMask(emitter) : emitField(emitter, name);
}

} // namespace regrain::ptx
