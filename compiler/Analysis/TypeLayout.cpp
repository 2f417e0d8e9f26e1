//===- TypeLayout.cpp - Layout of types in memory -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/TypeLayout.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

std::optional<TypeLayout> regrain::layoutOf(Type type) {
  auto scalar = [](int64_t bytes) {
    int64_t size = llvm::PowerOf2Ceil(bytes);
    return TypeLayout{size, size};
  };
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 128)
    return scalar(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  if (isa<LLVM::LLVMPointerType>(type))
    return scalar(8);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<TypeLayout> element = layoutOf(array.getElementType());
    if (!element || array.getNumElements() > INT32_MAX)
      return std::nullopt;
    return TypeLayout{element->size * int64_t(array.getNumElements()), element->alignment};
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<TypeLayout> element = layoutOf(vector.getElementType());
    if (!element || vector.getRank() != 1 || vector.isScalable())
      return std::nullopt;
    return scalar(element->size * vector.getNumElements());
  }
  auto record = dyn_cast<LLVM::LLVMStructType>(type);
  if (!record || record.isOpaque())
    return std::nullopt;
  TypeLayout layout{0, 1};
  for (Type member : record.getBody()) {
    std::optional<TypeLayout> own = layoutOf(member);
    if (!own)
      return std::nullopt;
    int64_t alignment = record.isPacked() ? 1 : own->alignment;
    layout.size = llvm::alignTo(layout.size, alignment) + own->size;
    layout.alignment = std::max(layout.alignment, alignment);
  }
  layout.size = llvm::alignTo(layout.size, layout.alignment);
  return layout;
}

std::optional<int64_t> regrain::memberOffset(LLVM::LLVMStructType record, int64_t index) {
  int64_t end = 0;
  for (auto [position, member] : llvm::enumerate(record.getBody())) {
    std::optional<TypeLayout> own = layoutOf(member);
    if (!own)
      return std::nullopt;
    end = llvm::alignTo(end, record.isPacked() ? 1 : own->alignment);
    if (int64_t(position) == index)
      return end;
    end += own->size;
  }
  return std::nullopt;
}
