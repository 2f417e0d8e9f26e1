//===- Reuse.cpp - Whether accesses return to the same data ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Reuse.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

bool mayBeGlobal(const Access &access) {
  return access.addressSpace == genericSpace || access.addressSpace == globalSpace;
}

bool hasKnownBase(const Access &access) { return access.base && access.kind != Base::Unknown; }

bool isInGlobal(const Access &access) {
  return mayBeGlobal(access) && (access.kind == Base::Parameter || access.kind == Base::Variable);
}

bool areExclusive(Operation *first, Operation *second) {
  for (Region *region = first->getParentRegion(); region; region = region->getParentRegion()) {
    auto condition = dyn_cast<scf::IfOp>(region->getParentOp());
    if (!condition || !condition->isProperAncestor(second))
      continue;
    return !region->isAncestor(second->getParentRegion());
  }
  return false;
}

/// Returns whether the address depends on values that the loop carries.
static bool movesIn(Operation *loop, const Affine &address) {
  return llvm::any_of(address.summands, [&](const Affine::Summand &summand) {
    auto argument = dyn_cast<BlockArgument>(summand.variable.value);
    return argument && argument.getOwner()->getParentOp() == loop;
  });
}

bool movesInLoops(const Access &access) {
  for (Operation *op = access.op->getParentOp(); !isa<grain::ThreadsOp, grain::KernelOp>(op);
       op = op->getParentOp()) {
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      continue;
    if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
        region && region.getRegion().hasOneBlock())
      continue;
    if (!isa<scf::ForOp, scf::WhileOp>(op) || !movesIn(op, *access.offset))
      return false;
  }
  return true;
}

} // namespace regrain
