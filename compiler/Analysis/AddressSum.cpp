//===- AddressSum.cpp - An address as a sum of indices --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/AddressSum.h"

#include "compiler/Analysis/TypeLayout.h"

using namespace mlir;
using namespace regrain;

/// Adds the indices of `gep`. Returns false if that is not possible.
static bool addIndices(LLVM::GEPOp gep, const DataLayout &layout, AddressSum &sum) {
  Type type = gep.getElemType();
  for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
    auto constant = dyn_cast<IntegerAttr>(index);
    if (auto record = dyn_cast<LLVM::LLVMStructType>(type); record && position != 0) {
      std::optional<int64_t> start =
          constant ? memberOffset(record, constant.getInt(), layout) : std::nullopt;
      if (!start)
        return false;
      sum.constant += *start;
      type = record.getBody()[constant.getInt()];
      continue;
    }
    if (position != 0) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!array)
        return false;
      type = array.getElementType();
    }
    std::optional<TypeLayout> size = layoutOf(type, layout);
    if (!size)
      return false;
    if (constant)
      sum.constant += constant.getInt() * size->size;
    else if (auto value = cast<Value>(index); value.getType().isIntOrIndex())
      sum.terms.push_back({value, size->size});
    else
      return false;
  }
  return true;
}

std::optional<AddressSum> regrain::addressSumOf(Value address, const DataLayout &layout) {
  AddressSum sum;
  while (Operation *op = address.getDefiningOp()) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      if (!addIndices(gep, layout, sum))
        return std::nullopt;
    } else if (!isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op)) {
      break;
    }
    address = op->getOperand(0);
  }
  sum.base = address;
  return sum;
}
