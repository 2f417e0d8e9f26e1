//===- GepIndices.cpp - The bytes that a GEP adds -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/GepIndices.h"

#include "compiler/Analysis/TypeLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

std::optional<GepIndices> regrain::indicesOf(LLVM::GEPOp gep, const DataLayout &layout) {
  GepIndices found;
  Type type = gep.getElemType();
  for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
    auto constant = dyn_cast<IntegerAttr>(index);
    if (auto record = dyn_cast<LLVM::LLVMStructType>(type); record && position != 0) {
      std::optional<int64_t> start =
          constant ? memberOffset(record, constant.getInt(), layout) : std::nullopt;
      if (!start || llvm::AddOverflow(found.constant, *start, found.constant))
        return std::nullopt;
      type = record.getBody()[constant.getInt()];
      continue;
    }
    if (position != 0) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!array)
        return std::nullopt;
      type = array.getElementType();
    }
    std::optional<TypeLayout> own = layoutOf(type, layout);
    if (!own)
      return std::nullopt;
    if (constant) {
      int64_t bytes = 0;
      if (llvm::MulOverflow(constant.getInt(), int64_t(own->size), bytes) ||
          llvm::AddOverflow(found.constant, bytes, found.constant))
        return std::nullopt;
    } else if (auto value = cast<Value>(index); value.getType().isIntOrIndex()) {
      found.variable.push_back({value, int64_t(own->size)});
    } else {
      return std::nullopt;
    }
  }
  return found;
}
