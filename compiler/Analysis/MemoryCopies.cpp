//===- MemoryCopies.cpp - Calls that copy or fill memory ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/MemoryCopies.h"

#include "compiler/Analysis/Callee.h"

using namespace mlir;
using namespace regrain;

LLVM::CallOp regrain::asCopy(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && kindOf(call) == CalleeKind::Copy ? call : LLVM::CallOp();
}

LLVM::CallOp regrain::asAsynchronousCopy(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  LLVM::LLVMFuncOp callee = call ? calleeOf(call) : LLVM::LLVMFuncOp();
  if (!callee || kindOf(call) != CalleeKind::Instruction)
    return {};
  bool isSuch = llvm::any_of(
      ArrayRef<StringRef>{"nvvm.cp.async.ca.shared.", "nvvm.cp.async.cg.shared.", "asm.cp.async"},
      [&](StringRef name) { return callee.getName().starts_with(name); });
  return isSuch ? call : LLVM::CallOp();
}

std::optional<Access> regrain::sourceOf(LLVM::CallOp copy, Accesses &accesses) {
  Value source = copy.getArgOperands()[1];
  return isa<LLVM::LLVMPointerType>(source.getType())
             ? std::optional(accesses.at(copy, source, /*writes=*/false))
             : std::nullopt;
}

std::optional<uint64_t> regrain::statedAlignmentOf(Operation *op) {
  if (LLVM::CallOp copy = asCopy(op)) {
    LLVM::LLVMFuncOp callee = calleeOf(copy);
    auto alignment =
        callee ? callee.getArgAttrOfType<IntegerAttr>(0, LLVM::LLVMDialect::getAlignAttrName())
               : IntegerAttr();
    return alignment ? alignment.getInt() : 1;
  }
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store ? store.getAlignment() : std::nullopt;
}
