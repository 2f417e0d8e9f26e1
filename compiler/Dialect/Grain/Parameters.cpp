//===- Parameters.cpp - What a launch passes to a kernel ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Dialect/Grain/Parameters.h"

#include "compiler/Dialect/Grain/LentMemory.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace regrain::grain {

bool isCoarse(ArrayRef<int32_t> factors) {
  return llvm::any_of(factors, [](int32_t factor) { return factor != 1; });
}

bool takesGrid(BlocksOp blocks) {
  return isCoarse(blocks.getFactors()) || blocks.threads().getShape() || blocks.getRemainder();
}

SmallVector<Type> appendedParameters(BlocksOp blocks) {
  MLIRContext *context = blocks.getContext();
  SmallVector<Type> types;
  if (lentBytes(blocks) != 0)
    types.push_back(LLVM::LLVMPointerType::get(context));
  for (bool isTaken :
       {takesGrid(blocks), blocks.threads().getShape().has_value(), blocks.getRemainder()})
    types.append(isTaken ? 3 : 0, IntegerType::get(context, 32));
  return types;
}

uint64_t parameterBytes(KernelOp kernel, ArrayRef<Type> appended) {
  DataLayout layout = DataLayout::closest(kernel);
  uint64_t bytes = 0;
  auto add = [&](Type type, uint64_t alignment) {
    bytes = llvm::alignTo(bytes, std::max(alignment, layout.getTypeABIAlignment(type))) +
            layout.getTypeSize(type).getFixedValue();
  };
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto byValue = kernel.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByValAttrName());
    auto alignment =
        kernel.getArgAttrOfType<IntegerAttr>(index, LLVM::LLVMDialect::getAlignAttrName());
    add(byValue ? byValue.getValue() : type, byValue && alignment ? alignment.getInt() : 1);
  }
  for (Type type : appended)
    add(type, 1);
  return bytes;
}

} // namespace regrain::grain
