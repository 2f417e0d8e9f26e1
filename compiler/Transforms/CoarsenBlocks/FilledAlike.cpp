//===- FilledAlike.cpp - Shared memory that blocks fill alike ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/FilledAlike.h"

using namespace mlir;
using namespace regrain;

LogicalResult regrain::collectStores(Value address, SmallVectorImpl<LLVM::StoreOp> &stores) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (auto load = dyn_cast<LLVM::LoadOp>(user)) {
      if (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
        return failure();
    } else if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
      if (store.getValue() == address || store.getVolatile_() ||
          store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
        return failure();
      stores.push_back(store);
    } else if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user)) {
      if (use.getOperandNumber() != 0 || failed(collectStores(user->getResult(0), stores)))
        return failure();
    } else {
      return failure();
    }
  }
  return success();
}

static bool isSame(LLVM::StoreOp store, const Uniformity &uniformity, Dependence alike,
                   Dependence varying) {
  if (overlap(uniformity.of(store.getValue()) | uniformity.of(store.getAddr()), alike))
    return false;
  for (Operation *holder = store->getParentOp(); !isa<grain::ThreadsOp>(holder);
       holder = holder->getParentOp())
    if (overlap(uniformity.ofControl(holder), varying))
      return false;
  return true;
}

llvm::DenseSet<Operation *> regrain::findFilledAlike(grain::BlocksOp blocks, Dependence alike,
                                                     Dependence varying) {
  llvm::DenseSet<Operation *> common;
  llvm::DenseMap<Operation *, SmallVector<LLVM::StoreOp>> stores;
  for (auto allocation : blocks.getBody().getOps<grain::SharedOp>())
    if (succeeded(collectStores(allocation.getResult(), stores[allocation])))
      common.insert(allocation);
  // All allocations count as common until one is found to be filled differently.
  for (bool changed = !common.empty(); changed;) {
    Uniformity uniformity(blocks->getParentOfType<grain::KernelOp>(), &common);
    changed = false;
    for (Operation *allocation : SmallVector<Operation *>(common.begin(), common.end()))
      if (!llvm::all_of(stores[allocation], [&](LLVM::StoreOp store) {
            return isSame(store, uniformity, alike, varying);
          }))
        changed |= common.erase(allocation);
  }
  return common;
}

bool regrain::haveCommonRowsAndColumns(grain::BlocksOp blocks) {
  constexpr Dependence plane = Dependence::BlockX | Dependence::BlockY;
  llvm::DenseSet<Operation *> ofRows = findFilledAlike(blocks, Dependence::BlockX, plane);
  llvm::DenseSet<Operation *> ofColumns = findFilledAlike(blocks, Dependence::BlockY, plane);
  unsigned rows = 0, columns = 0;
  for (auto allocation : blocks.getBody().getOps<grain::SharedOp>()) {
    bool isOfRow = ofRows.contains(allocation), isOfColumn = ofColumns.contains(allocation);
    if (!isOfRow && !isOfColumn)
      return false;
    rows += isOfRow && !isOfColumn;
    columns += isOfColumn && !isOfRow;
  }
  return rows != 0 && columns != 0;
}
