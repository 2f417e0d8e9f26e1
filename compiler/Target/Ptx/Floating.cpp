//===- Floating.cpp - Floating-point arithmetic in inline PTX -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// The rounding of an opcode; "ftz" is ignored, because subnormals are not flushed here.
struct Rounding {
  StringRef mode; ///< NVVM's names: rn, rz, rm, rp
  bool saturates;
};

Rounding takeRounding(Emitter &emitter) {
  emitter.take("ftz");
  StringRef mode = emitter.takeAny({"rn", "rz", "rm", "rp"});
  return {mode.empty() ? "rn" : mode, emitter.take("sat")};
}

StringRef suffixOf(Type type) { return type.bits == 32 ? "f" : "d"; }

bool setRounded(Emitter &emitter, Value *result, Type type, bool saturates) {
  if (saturates)
    result = emitter.call("nvvm_saturate_f", result->getType(), {result});
  return (!saturates || (type.bits == 32 && type.lanes == 1)) && emitter.set(0, result);
}

/// Returns operands 1 to `count`; empty if one of them is not a value.
SmallVector<Value *> valuesOf(Emitter &emitter, unsigned count, Type type) {
  SmallVector<Value *> values;
  for (unsigned i = 1; i <= count; ++i)
    values.push_back(emitter.value(i, type));
  if (is_contained(values, nullptr))
    values.clear();
  return values;
}

/// An instruction of `operands` inputs that has been read completely. Nothing is returned if it is
/// not floating-point, or computes halves that are not rounded to nearest.
struct Rounded {
  Rounding rounding;
  Type type;
  SmallVector<Value *> values;

  bool isNearest() const { return rounding.mode == "rn"; }
};

std::optional<Rounded> readRounded(Emitter &emitter, unsigned operands) {
  Rounding rounding = takeRounding(emitter);
  std::optional<Type> type = emitter.takeType();
  if (!type || !type->isFloat() || !emitter.isRead(operands + 1))
    return std::nullopt;
  Rounded read = {rounding, *type, valuesOf(emitter, operands, *type)};
  bool isHalf = type->bits == 16 || type->lanes == 2;
  return read.values.empty() || (isHalf && !read.isNearest()) ? std::nullopt : std::optional(read);
}

/// Emits add, sub and mul: as instructions, or by the library if they do not round to nearest.
bool emitBinary(Emitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  std::optional<Rounded> read = readRounded(emitter, 2);
  if (!read)
    return false;
  Value *a = read->values[0], *b = read->values[1], *result = nullptr;
  if (read->isNearest()) {
    result = name == "mul"   ? builder.CreateFMul(a, b)
             : name == "sub" ? builder.CreateFSub(a, b)
                             : builder.CreateFAdd(a, b);
  } else {
    if (name == "sub")
      b = builder.CreateFNeg(b);
    std::string function = ("nvvm_" + Twine(name == "mul" ? "mul_" : "add_") + read->rounding.mode +
                            "_" + suffixOf(read->type))
                               .str();
    result = emitter.call(function, a->getType(), {a, b});
  }
  return setRounded(emitter, result, read->type, read->rounding.saturates);
}

/// Emits fma, and mad, which is its older name.
bool emitFused(Emitter &emitter) {
  std::optional<Rounded> read = readRounded(emitter, 3);
  if (!read)
    return false;
  llvm::Type *result = emitter.llvmType(read->type);
  std::string function = ("nvvm_fma_" + read->rounding.mode + "_" + suffixOf(read->type)).str();
  Value *fused = read->isNearest()
                     ? emitter.builder.CreateIntrinsic(Intrinsic::fma, {result}, read->values)
                     : emitter.call(function, result, read->values);
  return setRounded(emitter, fused, read->type, read->rounding.saturates);
}

/// Emits div, rcp and sqrt, rounded or approximate, and functions that are only approximate.
bool emitQuotient(Emitter &emitter, StringRef name) {
  emitter.take("ftz");
  StringRef mode = emitter.takeAny({"rn", "rz", "rm", "rp", "approx", "full"});
  std::optional<Type> type = emitter.takeType();
  unsigned operands = name == "div" ? 2 : 1;
  bool rounds = name == "div" || name == "rcp" || name == "sqrt";
  if (!type || !type->isFloat() || type->lanes == 2 || type->bits == 16 || mode.empty() ||
      (!rounds && mode != "approx") || (mode == "full" && name != "div") ||
      !emitter.isRead(1 + operands))
    return false;
  SmallVector<Value *> values = valuesOf(emitter, operands, *type);
  bool isTangent = name == "tanh";
  std::string function =
      isTangent ? "__nv_tanhf" : ("nvvm_" + name + "_" + mode + "_" + suffixOf(*type)).str();
  if (values.empty() || (isTangent && type->bits != 32))
    return false;
  return emitter.set(0, emitter.call(function, emitter.llvmType(*type), values));
}

/// Emits min and max; abs and neg.
bool emitSimple(Emitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  emitter.take("ftz");
  bool keepsNaN = emitter.take("NaN"), one = name == "abs" || name == "neg";
  std::optional<Type> type = emitter.takeType();
  if (!type || !type->isFloat() || type->bits == 16 || type->lanes == 2 || (one && keepsNaN) ||
      !emitter.isRead(one ? 2 : 3))
    return false;
  SmallVector<Value *> values = valuesOf(emitter, one ? 1 : 2, *type);
  if (values.empty())
    return false;
  if (one)
    return emitter.set(0, name == "neg" ? builder.CreateFNeg(values[0])
                                        : builder.CreateUnaryIntrinsic(Intrinsic::fabs, values[0]));
  std::string function = ("nvvm_f" + name + "_" + (keepsNaN ? "nan_" : "") + suffixOf(*type)).str();
  return emitter.set(0, emitter.call(function, emitter.llvmType(*type), values));
}

/// Emits copysign: the second operand with the sign of the first.
bool emitCopySign(Emitter &emitter) {
  std::optional<Type> type = emitter.takeType();
  if (!type || !type->isFloat() || type->bits == 16 || type->lanes == 2 || !emitter.isRead(3))
    return false;
  SmallVector<Value *> values = valuesOf(emitter, 2, *type);
  return !values.empty() && emitter.set(0, emitter.builder.CreateBinaryIntrinsic(
                                               Intrinsic::copysign, values[1], values[0]));
}

} // namespace

bool emitFloating(Emitter &emitter, StringRef name) {
  if (name == "add" || name == "sub" || name == "mul")
    return emitBinary(emitter, name);
  if (name == "fma" || name == "mad")
    return emitFused(emitter);
  if (name == "min" || name == "max" || name == "abs" || name == "neg")
    return emitSimple(emitter, name);
  if (name == "copysign")
    return emitCopySign(emitter);
  return emitQuotient(emitter, name);
}

} // namespace regrain::ptx
