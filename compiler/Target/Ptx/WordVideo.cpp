//===- WordVideo.cpp - Video instructions on whole words in inline PTX ----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vadd.s32.u32.s32.sat.min d, a.h0, b, c: one operation of two numbers, which may be parts of
// words, and then perhaps another one with a third. Two numbers of 32 bits, signed or not, have a
// result of fewer than 64 bits, so everything up to saturation has 64 bits here. What GPUs compute
// otherwise than PTX says is not known: results that are a part of a word, unsigned results that
// exceed 32 bits with .sat, and .min and .max of unsigned results.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

constexpr Type word = {'b', 32, 1};

/// The bits of a word that an operand names: all of them unless it has the form a.b1.
struct Place {
  unsigned first = 0, bits = 32;
};

Place placeOf(const Operand &operand) {
  if (operand.kind != Operand::Part)
    return {};
  unsigned bits = operand.name.front() == 'b' ? 8 : 16;
  return {unsigned(operand.name.back() - '0') * bits, bits};
}

const Operand &wholeOf(const Operand &operand) {
  return operand.kind == Operand::Part ? operand.parts.front() : operand;
}

/// Returns what operand `index` names, with 64 bits; null if it is not a value.
Value *extended(Emitter &emitter, size_t index, bool isSigned) {
  IRBuilder<> &builder = emitter.builder;
  const Operand &operand = emitter.instruction.operands[index];
  Value *whole = emitter.value(wholeOf(operand), builder.getInt32Ty());
  if (!whole)
    return nullptr;
  Place place = placeOf(operand);
  Value *bits = builder.CreateTrunc(builder.CreateLShr(whole, uint64_t(place.first)),
                                    builder.getIntNTy(place.bits));
  return builder.CreateIntCast(bits, builder.getInt64Ty(), isSigned);
}

/// Shifts by at most 32 bits with .clamp, and by the low five bits with .wrap.
Value *shift(Emitter &emitter, bool left, Value *a, Value *b) {
  IRBuilder<> &builder = emitter.builder;
  StringRef mode = emitter.takeAny({"clamp", "wrap"});
  if (mode.empty())
    return nullptr;
  Value *bits = mode == "wrap"
                    ? builder.CreateAnd(b, 31)
                    : builder.CreateBinaryIntrinsic(Intrinsic::umin, b, builder.getInt64(32));
  return left ? builder.CreateShl(a, bits) : builder.CreateAShr(a, bits);
}

Value *operate(Emitter &emitter, StringRef name, Value *a, Value *b) {
  IRBuilder<> &builder = emitter.builder;
  if (name == "vadd")
    return builder.CreateAdd(a, b);
  if (name == "vsub")
    return builder.CreateSub(a, b);
  if (name == "vabsdiff")
    return builder.CreateIntrinsic(Intrinsic::abs, {a->getType()},
                                   {builder.CreateSub(a, b), builder.getFalse()});
  if (name == "vmin" || name == "vmax")
    return builder.CreateBinaryIntrinsic(name == "vmin" ? Intrinsic::smin : Intrinsic::smax, a, b);
  if (name == "vset")
    return compareSigned(emitter, emitter.takeAny({"eq", "ne", "lt", "le", "gt", "ge"}), a, b);
  return shift(emitter, name == "vshl", a, b);
}

/// Limits `value` to the numbers of 32 bits.
Value *saturated(IRBuilder<> &builder, Value *value, bool isSigned) {
  APInt low = isSigned ? APInt::getSignedMinValue(32).sext(64) : APInt::getZero(64);
  APInt high = isSigned ? APInt::getSignedMaxValue(32).sext(64) : APInt::getMaxValue(32).zext(64);
  value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, builder.getInt(low));
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, value, builder.getInt(high));
}

/// Returns the result of the second operation, on two words.
Value *combine(IRBuilder<> &builder, StringRef name, Value *value, Value *c, bool isSigned) {
  if (name == "add")
    return builder.CreateAdd(value, c);
  bool isMinimum = name == "min";
  return builder.CreateBinaryIntrinsic(isSigned    ? isMinimum ? Intrinsic::smin : Intrinsic::smax
                                       : isMinimum ? Intrinsic::umin
                                                   : Intrinsic::umax,
                                       value, c);
}

/// Returns whether GPUs saturate as PTX says. Sums that exceed an unsigned word are not saturated.
bool isSaturationKnown(StringRef name, ArrayRef<Type> types) {
  bool areSigned = types[1].isSigned() && types[2].isSigned();
  bool areUnsigned = !types[1].isSigned() && !types[2].isSigned();
  if (name == "vsub" && areUnsigned)
    return true;
  return areSigned && (types[0].isSigned() || name == "vmin" || name == "vmax");
}

/// The types of the result and the operands; a comparison's result is unsigned.
SmallVector<Type, 3> takeTypes(Emitter &emitter, bool compares) {
  SmallVector<Type, 3> types;
  if (compares)
    types.push_back({'u', 32, 1});
  for (StringRef name : emitter.instruction.opcode)
    if ((name == "u32" || name == "s32") && emitter.take(name))
      types.push_back({name.front(), 32, 1});
  return types;
}

} // namespace

bool emitWordVideo(Emitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  ArrayRef<Operand> operands = emitter.instruction.operands;
  bool shifts = name.starts_with("vsh");
  SmallVector<Type, 3> types = takeTypes(emitter, name == "vset");
  bool saturates = !shifts && name != "vset" && emitter.take("sat");
  StringRef second = emitter.takeAny({"add", "min", "max"});
  size_t count = second.empty() ? 3 : 4;
  if (types.size() != 3 || operands.size() != count || (shifts && types[2].isSigned()) ||
      (saturates && !isSaturationKnown(name, types)) ||
      (count == 4 && second != "add" && !types[0].isSigned()))
    return false;
  Value *a = extended(emitter, 1, types[1].isSigned());
  Value *b = extended(emitter, 2, types[2].isSigned());
  Value *c = second.empty() ? builder.getInt32(0) : emitter.value(3, word);
  Value *result = a && b && c ? operate(emitter, name, a, b) : nullptr;
  if (!result || !emitter.isRead(count))
    return false;
  if (saturates)
    result = saturated(builder, result, types[0].isSigned());
  result = builder.CreateTrunc(result, builder.getInt32Ty());
  if (!second.empty())
    result = combine(builder, second, result, c, types[0].isSigned());
  return emitter.set(0, result);
}

} // namespace regrain::ptx
