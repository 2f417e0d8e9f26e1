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

static bool hasLayout(Type type) {
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth() <= 128;
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() <= INT32_MAX && hasLayout(array.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable() && !vector.getElementType().isInteger(1) &&
           hasLayout(vector.getElementType());
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type))
    return !record.isOpaque() && llvm::all_of(record.getBody(), hasLayout);
  return isa<LLVM::LLVMPointerType>(type);
}

std::optional<TypeLayout> regrain::layoutOf(Type type, const DataLayout &layout) {
  if (!hasLayout(type))
    return std::nullopt;
  uint64_t alignment = layout.getTypeABIAlignment(type);
  uint64_t size = llvm::alignTo(layout.getTypeSize(type).getFixedValue(), alignment);
  return TypeLayout{int64_t(size), int64_t(alignment)};
}

std::optional<int64_t> regrain::memberOffset(LLVM::LLVMStructType record, int64_t index,
                                             const DataLayout &layout) {
  int64_t end = 0;
  for (auto [position, member] : llvm::enumerate(record.getBody())) {
    std::optional<TypeLayout> own = layoutOf(member, layout);
    if (!own)
      return std::nullopt;
    end = llvm::alignTo(end, record.isPacked() ? 1 : own->alignment);
    if (int64_t(position) == index)
      return end;
    end += own->size;
  }
  return std::nullopt;
}
