//===- Values.cpp - Values in registers of the interpreter ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Values.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace regrain;

unsigned regrain::widthOf(Type *scalar) {
  return scalar->isPointerTy() ? 64 : scalar->getPrimitiveSizeInBits().getFixedValue();
}

bool regrain::flatten(Type *type, const DataLayout &layout, SmallVectorImpl<Leaf> &leaves,
                      uint64_t offset) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    if (structure->isOpaque())
      return false;
    const StructLayout *fields = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!flatten(structure->getElementType(i), layout, leaves,
                   offset + fields->getElementOffset(i)))
        return false;
    return true;
  }
  Type *element = nullptr;
  uint64_t count = 0;
  if (auto *array = dyn_cast<ArrayType>(type)) {
    element = array->getElementType();
    count = array->getNumElements();
  } else if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    element = vector->getElementType();
    count = vector->getNumElements();
  }
  if (element) {
    uint64_t stride = layout.getTypeAllocSize(element);
    for (uint64_t i = 0; i < count; ++i)
      if (!flatten(element, layout, leaves, offset + i * stride))
        return false;
    return true;
  }
  if (isWide(type)) {
    for (unsigned at = 0, width = widthOf(type); at < width; at += 64) {
      unsigned word = std::min(width - at, 64u);
      leaves.push_back({IntegerType::get(type->getContext(), word), word, offset + at / 8});
    }
    return true;
  }
  bool known = type->isPointerTy() || type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() ||
               type->isDoubleTy() || type->isIntegerTy();
  unsigned width = type->isPointerTy() ? layout.getPointerTypeSizeInBits(type) : 0;
  if (!known || width > 64)
    return false;
  leaves.push_back({type, width ? width : widthOf(type), offset});
  return true;
}

unsigned regrain::scalarCount(Type *type) {
  if (type->isVoidTy())
    return 0;
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * scalarCount(array->getElementType());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements() * scalarCount(vector->getElementType());
  unsigned count = 0;
  if (auto *structure = dyn_cast<StructType>(type)) {
    for (Type *element : structure->elements())
      count += scalarCount(element);
    return count;
  }
  return isWide(type) ? divideCeil(widthOf(type), 64) : 1;
}

double regrain::toDouble(Type *type, uint64_t bits) {
  if (type->isFloatTy())
    return bit_cast<float>(static_cast<uint32_t>(bits));
  if (type->isDoubleTy())
    return bit_cast<double>(bits);
  APFloat value(type->getFltSemantics(), APInt(16, bits));
  bool lost = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

uint64_t regrain::fromDouble(Type *type, double value) {
  if (type->isFloatTy())
    return bit_cast<uint32_t>(static_cast<float>(value));
  if (type->isDoubleTy())
    return bit_cast<uint64_t>(value);
  APFloat result(value);
  bool lost = false;
  result.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return result.bitcastToAPInt().getZExtValue();
}
