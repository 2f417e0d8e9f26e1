//===- LentMemory.cpp - Where grain.lent lies -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Dialect/Grain/LentMemory.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace regrain::grain {

static uint64_t alignmentOf(LentOp array) { return std::max<int64_t>(1, array.getAlignment()); }

uint64_t lentBefore(BlocksOp blocks, LentOp end) {
  DataLayout layout = DataLayout::closest(blocks);
  uint64_t bytes = 0;
  for (LentOp array : blocks.getBody().getOps<LentOp>()) {
    bytes = llvm::alignTo(bytes, alignmentOf(array));
    if (array == end)
      return bytes;
    bytes += layout.getTypeSize(array.getType()).getFixedValue();
  }
  return bytes;
}

uint64_t lentBytes(BlocksOp blocks) {
  return llvm::alignTo(lentBefore(blocks, LentOp()), lentAlignment);
}

} // namespace regrain::grain
