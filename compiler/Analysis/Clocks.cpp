//===- Clocks.cpp - Clocks whose time is stored ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Clocks.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/ConstantMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// Reads of a clock are operations of their own or, where MLIR has none, calls of intrinsics.
bool readsClock(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return isa<NVVM::ClockOp, NVVM::Clock64Op>(op) ||
         (call && regrain::kindOf(call) == regrain::CalleeKind::Clock);
}

bool outlivesBlock(Value address) {
  return !isa_and_nonnull<LLVM::AllocaOp, regrain::grain::SharedOp,
                          regrain::grain::DynamicSharedOp>(
      regrain::baseOf(address).getDefiningOp());
}

bool stores(Operation *op, Value time) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getValue() == time && outlivesBlock(store.getAddr());
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return update.getVal() == time && outlivesBlock(update.getPtr());
  return false;
}

bool computesTime(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<arith::CmpIOp, arith::CmpFOp, LLVM::GEPOp>(op);
}

} // namespace

Operation *regrain::findStoredTime(Operation *root) {
  llvm::SetVector<Value> times;
  root->walk([&](Operation *op) {
    if (readsClock(op))
      times.insert(op->result_begin(), op->result_end());
  });
  for (size_t next = 0; next < times.size(); ++next)
    for (Operation *user : times[next].getUsers()) {
      if (stores(user, times[next]))
        return user;
      if (computesTime(user))
        times.insert(user->result_begin(), user->result_end());
    }
  return nullptr;
}
