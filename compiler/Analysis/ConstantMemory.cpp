//===- ConstantMemory.cpp - Memory that a launch cannot write -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ConstantMemory.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

Value regrain::baseOf(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      break;
    address = op->getOperand(0);
  }
  return address;
}

static bool isInConstantSpace(Value address) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(address.getType());
  return pointer && pointer.getAddressSpace() == regrain::constantSpace;
}

/// Returns true if `address` and all addresses computed from it are used by loads only.
static bool isOnlyLoadedThrough(Value address) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (auto load = dyn_cast<LLVM::LoadOp>(user)) {
      if (load.getVolatile_())
        return false;
    } else if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(user)) {
      if (use.getOperandNumber() != 0 || !isOnlyLoadedThrough(user->getResult(0)))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

bool regrain::ConstantMemory::isReadOnly(BlockArgument parameter) {
  auto [entry, isNew] = readOnly.try_emplace(parameter, false);
  if (!isNew)
    return entry->second;
  auto kernel = dyn_cast<grain::KernelOp>(parameter.getOwner()->getParentOp());
  if (!kernel)
    return false;
  unsigned index = parameter.getArgNumber();
  bool isExclusive = kernel.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()) ||
                     kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName());
  // A grid constant is marked so, wherever its address goes.
  bool isNeverWritten = kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName()) &&
                        kernel.getArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName());
  bool result = isNeverWritten || (isExclusive && isOnlyLoadedThrough(parameter));
  readOnly[parameter] = result;
  return result;
}

bool regrain::ConstantMemory::isReadBy(LLVM::LoadOp load) {
  if (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return false;
  if (load.getInvariant() || isInConstantSpace(load.getAddr()))
    return true;
  Value base = baseOf(load.getAddr());
  if (isInConstantSpace(base))
    return true;
  if (auto parameter = dyn_cast<BlockArgument>(base))
    return isReadOnly(parameter);
  if (auto address = base.getDefiningOp<LLVM::AddressOfOp>()) {
    auto global =
        SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(load, address.getGlobalNameAttr());
    return global && global.getConstant();
  }
  return false;
}
