//===- Move.cpp - Moves and conversions in inline PTX ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// Emits mov.b64 d, {low, high}.
bool pack(Emitter &emitter, const Operand &parts, Type type) {
  IRBuilder<> &builder = emitter.builder;
  unsigned bits = type.bits / parts.parts.size();
  Value *all = builder.getIntN(type.bits, 0);
  for (auto [i, part] : enumerate(parts.parts)) {
    Value *value = emitter.value(part, builder.getIntNTy(bits));
    if (!value)
      return false;
    Value *placed = builder.CreateShl(builder.CreateZExt(value, all->getType()), i * bits);
    all = builder.CreateOr(all, placed);
  }
  return emitter.set(0, all);
}

/// Emits mov.b64 {low, high}, s.
bool unpack(Emitter &emitter, const Operand &parts, Type type) {
  IRBuilder<> &builder = emitter.builder;
  unsigned bits = type.bits / parts.parts.size();
  Value *all = emitter.value(1, type);
  for (auto [i, part] : enumerate(parts.parts)) {
    if (!all || !emitter.set(part, builder.CreateTrunc(builder.CreateLShr(all, i * bits),
                                                       builder.getIntNTy(bits))))
      return false;
  }
  return true;
}

bool emitMov(Emitter &emitter) {
  std::optional<Type> type = emitter.takeType();
  if (!type || type->bits == 8 || !emitter.isRead(2))
    return false;
  const Operand &to = emitter.instruction.operands[0], &from = emitter.instruction.operands[1];
  bool isVector = to.kind == Operand::Vector || from.kind == Operand::Vector;
  if (isVector) {
    const Operand &parts = to.kind == Operand::Vector ? to : from;
    if (type->kind != 'b' || (parts.parts.size() != 2 && parts.parts.size() != 4) ||
        type->bits / parts.parts.size() < 16)
      return false;
    return &parts == &to ? unpack(emitter, to, *type) : pack(emitter, from, *type);
  }
  Value *value = emitter.value(1, *type);
  return value && emitter.set(0, value);
}

/// Returns the type as it appears in the library's names: "i", "ui", "ll", "ull", "f", "d".
std::string libraryLetter(Type type) {
  if (type.isFloat())
    return type.bits == 32 ? "f" : "d";
  return std::string(type.isSigned() ? "" : "u") + (type.bits == 32 ? "i" : "ll");
}

/// Converts between integers and floating-point numbers of 32 and 64 bits by the library, which
/// rounds.
Value *convertByLibrary(Emitter &emitter, Value *value, Type to, Type from, StringRef mode) {
  std::string function = "nvvm_" + libraryLetter(from) + "2" + libraryLetter(to) + "_" + mode.str();
  return emitter.call(function, emitter.llvmType(to), {value});
}

/// Converts between integers; a value beyond the range of `to` becomes the nearest end.
Value *saturateInteger(Emitter &emitter, Value *value, Type to, Type from) {
  IRBuilder<> &builder = emitter.builder;
  unsigned bits = std::max(to.bits, from.bits) + 1; // holds the values of both types
  llvm::Type *wide = builder.getIntNTy(bits);
  APInt least = to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(bits) : APInt(bits, 0);
  APInt most = to.isSigned() ? APInt::getSignedMaxValue(to.bits).sext(bits)
                             : APInt::getMaxValue(to.bits).zext(bits);
  value = builder.CreateIntCast(value, wide, from.isSigned());
  value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, ConstantInt::get(wide, least));
  value = builder.CreateBinaryIntrinsic(Intrinsic::smin, value, ConstantInt::get(wide, most));
  return builder.CreateTrunc(value, emitter.llvmType(to));
}

/// Converts floating-point numbers of at most 32 bits to integers, which always saturates.
Value *convertToInteger(Emitter &emitter, Value *value, Type to, StringRef mode) {
  Type from = {'f', 32, 1}, wide = {to.kind, std::max(to.bits, 32u), 1};
  value = emitter.builder.CreateFPExt(value, emitter.llvmType(from));
  Value *result = convertByLibrary(emitter, value, wide, from, mode);
  return to.bits < 32 ? saturateInteger(emitter, result, to, wide) : result;
}

/// Converts between floating-point types, and between them and integers.
Value *convertFloating(Emitter &emitter, Value *value, Type to, Type from, StringRef mode) {
  IRBuilder<> &builder = emitter.builder;
  llvm::Type *type = emitter.llvmType(to);
  bool isHalf = to.bits == 16 || from.bits == 16;
  if (to.isFloat() && from.isFloat()) {
    if (to.bits > from.bits)
      return mode.empty() ? builder.CreateFPExt(value, type) : nullptr;
    if (to.bits == from.bits)
      return nullptr;
    if (isHalf)
      return mode == "rn" ? builder.CreateFPTrunc(value, type) : nullptr;
    return mode.empty() ? nullptr : convertByLibrary(emitter, value, to, from, mode);
  }
  if (!mode.empty() && from.isFloat() && from.bits <= 32)
    return convertToInteger(emitter, value, to, mode);
  if (isHalf || mode.empty() || (from.isFloat() ? to : from).bits < 32)
    return nullptr;
  return convertByLibrary(emitter, value, to, from, mode);
}

/// Rounds to an integer in the direction of `mode`, as a floating-point number.
Value *roundToInteger(Emitter &emitter, Value *value, StringRef mode) {
  Intrinsic::ID id = mode == "rni"   ? Intrinsic::rint
                     : mode == "rzi" ? Intrinsic::trunc
                     : mode == "rmi" ? Intrinsic::floor
                                     : Intrinsic::ceil;
  return emitter.builder.CreateUnaryIntrinsic(id, value);
}

/// Writes a floating-point result, limited to the range from 0 to 1.
bool setSaturated(Emitter &emitter, Value *value, Type type) {
  return type.bits == 32 &&
         emitter.set(0, emitter.call("nvvm_saturate_f", value->getType(), {value}));
}

/// Emits cvt.TO.FROM.
bool emitConversion(Emitter &emitter) {
  StringRef whole = emitter.takeAny({"rni", "rzi", "rmi", "rpi"});
  StringRef mode = whole.empty() ? emitter.takeAny({"rn", "rz", "rm", "rp"}) : whole.drop_back();
  emitter.take("ftz");
  bool saturates = emitter.take("sat");
  std::optional<Type> from = emitter.takeType(), to = emitter.takeType();
  if (!from || !to || from->lanes == 2 || to->lanes == 2 || from->isPredicate() ||
      to->isPredicate() || from->kind == 'b' || to->kind == 'b' || !emitter.isRead(2))
    return false;
  Value *value = emitter.value(1, *from, /*cut=*/true);
  if (!value)
    return false;
  if (!from->isFloat() && !to->isFloat()) {
    Value *result =
        saturates ? saturateInteger(emitter, value, *to, *from)
                  : emitter.builder.CreateIntCast(value, emitter.llvmType(*to), from->isSigned());
    return mode.empty() && emitter.set(0, result, /*extend=*/true, to->isSigned());
  }
  bool isSame = from->isFloat() && to->isFloat() && from->bits == to->bits && from->bits != 16;
  if (isSame && saturates && mode.empty())
    return setSaturated(emitter, value, *to);
  if (whole.empty() == (isSame || !to->isFloat()))
    return false;
  Value *result = isSame ? roundToInteger(emitter, value, whole)
                         : convertFloating(emitter, value, *to, *from, mode);
  if (!result)
    return false;
  return saturates && to->isFloat()
             ? setSaturated(emitter, result, *to)
             : emitter.set(0, result, /*extend=*/!to->isFloat(), to->isSigned());
}

/// Emits cvta.to.shared.u64, which converts a generic address to one of a space; without "to", the
/// reverse.
bool emitAddress(Emitter &emitter) {
  IRBuilder<> &builder = emitter.builder;
  bool toSpace = emitter.take("to");
  AddressSpace space = emitter.takeSpace();
  std::optional<Type> type = emitter.takeType();
  Value *address =
      type && type->kind == 'u' && type->bits == 64 && space != genericSpace && emitter.isRead(2)
          ? emitter.value(1, *type)
          : nullptr;
  if (!address)
    return false;
  auto *general = builder.getPtrTy(), *special = builder.getPtrTy(space);
  Value *pointer = builder.CreateIntToPtr(address, toSpace ? general : special);
  pointer = builder.CreateAddrSpaceCast(pointer, toSpace ? special : general);
  return emitter.set(0, builder.CreatePtrToInt(pointer, builder.getInt64Ty()));
}

} // namespace

bool emitMove(Emitter &emitter, StringRef name) {
  if (name == "mov")
    return emitMov(emitter);
  return name == "cvt" ? emitConversion(emitter) : name == "cvta" && emitAddress(emitter);
}

} // namespace regrain::ptx
