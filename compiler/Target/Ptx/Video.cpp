//===- Video.cpp - Several values in one register in inline PTX -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Ptx/Emitter.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// Emits one operation of vadd2, vabsdiff4 and similar instructions, element by element. The
/// elements have 32 bits here, so no result overflows.
Value *operate(Emitter &emitter, StringRef name, Value *a, Value *b) {
  IRBuilder<> &builder = emitter.builder;
  if (name == "add")
    return builder.CreateAdd(a, b);
  if (name == "sub")
    return builder.CreateSub(a, b);
  if (name == "avrg") { // a half is rounded away from zero
    Value *sum = builder.CreateAdd(a, b);
    Value *isPositive = builder.CreateICmpSGE(sum, ConstantInt::get(sum->getType(), 0));
    return builder.CreateAShr(
        builder.CreateAdd(sum, builder.CreateZExt(isPositive, sum->getType())), 1);
  }
  if (name == "min" || name == "max")
    return builder.CreateBinaryIntrinsic(name == "min" ? Intrinsic::smin : Intrinsic::smax, a, b);
  if (name == "absdiff")
    return builder.CreateIntrinsic(Intrinsic::abs, {a->getType()},
                                   {builder.CreateSub(a, b), builder.getFalse()});
  return compareSigned(emitter, name, a, b);
}

/// Returns the elements of operand `index`, each with 32 bits.
Value *elementsOf(Emitter &emitter, size_t index, unsigned count, bool isSigned) {
  IRBuilder<> &builder = emitter.builder;
  Value *word = emitter.value(index, Type{'b', 32, 1});
  if (!word)
    return nullptr;
  Value *elements =
      builder.CreateBitCast(word, FixedVectorType::get(builder.getIntNTy(32 / count), count));
  llvm::Type *wide = FixedVectorType::get(builder.getInt32Ty(), count);
  return builder.CreateIntCast(elements, wide, isSigned);
}

/// Clamps `elements` to the range of a result's element.
Value *saturated(Emitter &emitter, Value *elements, unsigned bits, bool isSigned) {
  APInt low = isSigned ? APInt::getSignedMinValue(bits).sext(32) : APInt::getZero(32);
  APInt high =
      isSigned ? APInt::getSignedMaxValue(bits).sext(32) : APInt::getMaxValue(bits).zext(32);
  IRBuilder<> &builder = emitter.builder;
  llvm::Type *type = elements->getType();
  elements = builder.CreateBinaryIntrinsic(Intrinsic::smax, elements, ConstantInt::get(type, low));
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, elements, ConstantInt::get(type, high));
}

/// Emits vadd2.u32.u32.u32.sat d, a, b, c; c is used only with .add, which sums up the elements.
bool emitElements(Emitter &emitter, StringRef operation, unsigned count) {
  IRBuilder<> &builder = emitter.builder;
  bool sums = emitter.take("add"), saturates = emitter.take("sat");
  if (operation == "set")
    operation = emitter.takeAny({"eq", "ne", "lt", "le", "gt", "ge"});
  bool isSet = operation.size() == 2;
  std::optional<Type> second = emitter.takeType(), first = emitter.takeType();
  std::optional<Type> result = isSet ? Type{'u', 32, 1} : emitter.takeType();
  if (!first || !second || !result || operation.empty() || !emitter.isRead(4) ||
      (isSet && saturates))
    return false;
  for (Type type : {*first, *second, *result})
    if (type.bits != 32 || (type.kind != 'u' && type.kind != 's'))
      return false;
  Value *a = elementsOf(emitter, 1, count, first->isSigned());
  Value *b = elementsOf(emitter, 2, count, second->isSigned());
  Value *c = emitter.value(3, Type{'u', 32, 1});
  Value *elements = a && b && c ? operate(emitter, operation, a, b) : nullptr;
  if (!elements)
    return false;
  unsigned bits = 32 / count;
  if (saturates)
    elements = saturated(emitter, elements, bits, result->isSigned());
  if (sums)
    return emitter.set(0, builder.CreateAdd(builder.CreateAddReduce(elements), c));
  Value *narrow =
      builder.CreateTrunc(elements, FixedVectorType::get(builder.getIntNTy(bits), count));
  return emitter.set(0, builder.CreateBitCast(narrow, builder.getInt32Ty()));
}

/// Emits dp4a.u32.s32 d, a, b, c; and dp2a.lo, which multiplies the halves of a by the low two
/// bytes of b, and dp2a.hi, which takes the high ones.
bool emitProducts(Emitter &emitter, bool pairs) {
  IRBuilder<> &builder = emitter.builder;
  StringRef part = pairs ? emitter.takeAny({"lo", "hi"}) : "";
  std::optional<Type> second = emitter.takeType(), first = emitter.takeType();
  if (!first || !second || first->bits != 32 || second->bits != 32 || !emitter.isRead(4) ||
      pairs == part.empty())
    return false;
  Value *a = elementsOf(emitter, 1, pairs ? 2 : 4, first->isSigned());
  Value *b = elementsOf(emitter, 2, 4, second->isSigned());
  Value *c = emitter.value(3, Type{'u', 32, 1});
  if (b && pairs)
    b = builder.CreateShuffleVector(b, part == "lo" ? ArrayRef<int>{0, 1} : ArrayRef<int>{2, 3});
  return a && b && c &&
         emitter.set(0, builder.CreateAdd(builder.CreateAddReduce(builder.CreateMul(a, b)), c));
}

} // namespace

bool emitVideo(Emitter &emitter, StringRef name) {
  if (name == "dp4a" || name == "dp2a")
    return emitProducts(emitter, /*pairs=*/name == "dp2a");
  bool pairs = name.consume_back("2");
  if (!name.consume_front("v") || (!pairs && !name.consume_back("4")))
    return false;
  static constexpr StringLiteral known[] = {"add", "sub", "avrg", "min", "max", "absdiff", "set"};
  return is_contained(known, name) && emitElements(emitter, name, pairs ? 2 : 4);
}

} // namespace regrain::ptx
