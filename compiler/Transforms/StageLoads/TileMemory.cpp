//===- TileMemory.cpp - Shared memory for tiles ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/TileMemory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace regrain;

uint64_t regrain::sharedBytesOf(grain::KernelOp kernel) {
  uint64_t bytes = 0;
  kernel.walk([&](grain::SharedOp array) {
    bytes = llvm::alignTo(bytes, std::max<int64_t>(array.getAlignment(), tileAlignment)) +
            DataLayout::closest(array).getTypeSize(array.getType()).getFixedValue();
  });
  return bytes;
}

Operation *regrain::frontBehindAllocations(Block &body) {
  for (auto alloca : llvm::make_early_inc_range(body.getOps<LLVM::AllocaOp>()))
    if (alloca.getArraySize().getParentBlock() != &body)
      alloca->moveBefore(&body, body.begin());
  Operation *start = &body.front();
  while (isa<LLVM::AllocaOp>(start))
    start = start->getNextNode();
  return start;
}
