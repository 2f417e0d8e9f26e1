//===- Comparison.cpp - Comparisons in inline PTX -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// Emits the comparison that the opcode names, on operands 1 and 2.
Value *compare(Emitter &emitter, StringRef name, Type type, Value *a, Value *b) {
  IRBuilder<> &builder = emitter.builder;
  constexpr auto none = CmpInst::BAD_ICMP_PREDICATE;
  if (type.isFloat()) {
    auto predicate = StringSwitch<CmpInst::Predicate>(name)
                         .Case("eq", CmpInst::FCMP_OEQ)
                         .Case("ne", CmpInst::FCMP_ONE)
                         .Case("lt", CmpInst::FCMP_OLT)
                         .Case("le", CmpInst::FCMP_OLE)
                         .Case("gt", CmpInst::FCMP_OGT)
                         .Case("ge", CmpInst::FCMP_OGE)
                         .Case("equ", CmpInst::FCMP_UEQ)
                         .Case("neu", CmpInst::FCMP_UNE)
                         .Case("ltu", CmpInst::FCMP_ULT)
                         .Case("leu", CmpInst::FCMP_ULE)
                         .Case("gtu", CmpInst::FCMP_UGT)
                         .Case("geu", CmpInst::FCMP_UGE)
                         .Case("num", CmpInst::FCMP_ORD)
                         .Case("nan", CmpInst::FCMP_UNO)
                         .Default(none);
    return predicate == none ? nullptr : builder.CreateFCmp(predicate, a, b);
  }
  bool isSigned = type.isSigned();
  auto predicate = StringSwitch<CmpInst::Predicate>(name)
                       .Case("eq", CmpInst::ICMP_EQ)
                       .Case("ne", CmpInst::ICMP_NE)
                       .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                       .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                       .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                       .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                       .Case("lo", isSigned ? none : CmpInst::ICMP_ULT)
                       .Case("ls", isSigned ? none : CmpInst::ICMP_ULE)
                       .Case("hi", isSigned ? none : CmpInst::ICMP_UGT)
                       .Case("hs", isSigned ? none : CmpInst::ICMP_UGE)
                       .Default(none);
  bool ordersBits = type.kind == 'b' && !CmpInst::isEquality(predicate);
  return predicate == none || ordersBits ? nullptr : builder.CreateICmp(predicate, a, b);
}

struct Compared {
  Value *holds = nullptr;
  Value *holdsNot = nullptr; ///< setp's second result
};

/// Emits the opcode's comparison, combined with a predicate by .and, .or or .xor.
Compared takeComparison(Emitter &emitter, Type type) {
  IRBuilder<> &builder = emitter.builder;
  StringRef name = emitter.takeAny({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                                    "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  StringRef join = emitter.takeAny({"and", "or", "xor"});
  emitter.take("ftz");
  if (!emitter.isRead(join.empty() ? 3 : 4))
    return {};
  Value *a = emitter.value(1, type), *b = emitter.value(2, type);
  Value *holds = a && b ? compare(emitter, name, type, a, b) : nullptr;
  if (!holds || join.empty())
    return {holds, holds ? builder.CreateNot(holds) : nullptr};
  Value *other = emitter.value(3, Type{'p', 1, 1});
  if (!other)
    return {};
  auto joined = [&](Value *one) {
    return join == "and"  ? builder.CreateAnd(one, other)
           : join == "or" ? builder.CreateOr(one, other)
                          : builder.CreateXor(one, other);
  };
  return {joined(holds), joined(builder.CreateNot(holds))};
}

bool emitSetPredicate(Emitter &emitter) {
  std::optional<Type> type = emitter.takeType();
  if (!type || type->isPredicate() || type->bits == 8 || type->lanes == 2)
    return false;
  Compared result = takeComparison(emitter, *type);
  if (!result.holds)
    return false;
  const Operand &to = emitter.instruction.operands[0];
  if (to.kind != Operand::Pair)
    return emitter.set(to, result.holds);
  return emitter.set(to.parts[0], result.holds) && emitter.set(to.parts[1], result.holdsNot);
}

/// Emits set: all bits or 1.0 if the comparison holds, else zero.
bool emitSet(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> type = emitter.takeType(), to = emitter.takeType();
  if (!type || !to || to->bits != 32 || to->lanes == 2 || to->kind == 'b' || type->isPredicate() ||
      type->bits == 8 || type->lanes == 2)
    return false;
  Value *holds = takeComparison(emitter, *type).holds;
  if (!holds)
    return false;
  llvm::Type *result = emitter.llvmType(*to);
  return emitter.set(0, to->isFloat() ? builder.CreateUIToFP(holds, result)
                                      : builder.CreateSExt(holds, result));
}

bool emitSelect(Emitter &emitter) {
  std::optional<Type> type = emitter.takeType();
  if (!type || type->isPredicate() || !emitter.isRead(4))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type);
  Value *which = emitter.value(3, Type{'p', 1, 1});
  return a && b && which && emitter.set(0, emitter.builder.CreateSelect(which, a, b));
}

/// Emits slct.b32.s32 d, a, b, c: a if c is not negative, else b. A NaN selects b, and .ftz makes a
/// negative subnormal number zero.
bool emitSelectBySign(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Type> sign = emitter.takeType();
  bool flushes = sign && sign->isFloat() && emitter.take("ftz");
  std::optional<Type> type = emitter.takeType();
  if (!type || type->bits < 16 || type->isPredicate() || sign->bits != 32 || sign->lanes == 2 ||
      !(sign->isSigned() || sign->isFloat()) || !emitter.isRead(4))
    return false;
  Value *a = emitter.value(1, *type), *b = emitter.value(2, *type), *c = emitter.value(3, *sign);
  if (!a || !b || !c)
    return false;
  Constant *zero = Constant::getNullValue(c->getType());
  Value *isPositive =
      !sign->isFloat() ? builder.CreateICmpSGE(c, zero)
      : flushes
          ? builder.CreateFCmpOGT(
                c, ConstantFP::get(c->getType(),
                                   APFloat::getSmallestNormalized(APFloat::IEEEsingle(), true)))
          : builder.CreateFCmpOGE(c, zero);
  return emitter.set(0, builder.CreateSelect(isPositive, a, b));
}

} // namespace

Value *compareSigned(Emitter &emitter, StringRef name, Value *a, Value *b) {
  Value *bit = compare(emitter, name, Type{'s', 64, 1}, a, b);
  return bit ? emitter.builder.CreateZExt(bit, a->getType()) : nullptr;
}

bool emitComparison(Emitter &emitter, StringRef name) {
  if (name == "setp")
    return emitSetPredicate(emitter);
  if (name == "slct")
    return emitSelectBySign(emitter);
  return name == "set" ? emitSet(emitter) : name == "selp" && emitSelect(emitter);
}

} // namespace regrain::ptx
