//===- AddressSum.cpp - An address as a sum of indices --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/AddressSum.h"

#include "compiler/Analysis/TypeLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

/// Adds `times` * `number`. Returns false if the constant does not fit.
static bool addConstant(AddressSum &sum, int64_t times, int64_t number) {
  int64_t bytes = 0;
  return !llvm::MulOverflow(times, number, bytes) &&
         !llvm::AddOverflow(sum.constant, bytes, sum.constant);
}

/// Adds the indices of `gep`. Returns false if that is not possible.
static bool addIndices(LLVM::GEPOp gep, const DataLayout &layout, AddressSum &sum) {
  Type type = gep.getElemType();
  for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
    auto constant = dyn_cast<IntegerAttr>(index);
    if (auto record = dyn_cast<LLVM::LLVMStructType>(type); record && position != 0) {
      std::optional<int64_t> start =
          constant ? memberOffset(record, constant.getInt(), layout) : std::nullopt;
      if (!start || !addConstant(sum, 1, *start))
        return false;
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
    if (!size || (constant && !addConstant(sum, size->size, constant.getInt())))
      return false;
    if (constant)
      continue;
    auto value = cast<Value>(index);
    if (!value.getType().isIntOrIndex())
      return false;
    sum.terms.push_back({value, int64_t(size->size)});
  }
  return true;
}

std::optional<AddressSum> regrain::stepOf(LLVM::GEPOp gep, const DataLayout &layout) {
  AddressSum sum;
  sum.base = gep.getBase();
  return addIndices(gep, layout, sum) ? std::optional(sum) : std::nullopt;
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
