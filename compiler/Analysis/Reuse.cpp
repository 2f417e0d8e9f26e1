//===- Reuse.cpp - Whether accesses return to the same data ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Reuse.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// The number of operations that may follow each other from what a loop carries to a part of an
/// address.
constexpr unsigned mostNested = 8;

/// Returns whether the value is a multiple of something that the loop carries, up to a summand.
static bool movesIn(Operation *loop, Value value, unsigned depth = 0) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp() == loop;
  Operation *op = value.getDefiningOp();
  return depth < mostNested && loop->isProperAncestor(op) &&
         isa<arith::MulIOp, arith::AddIOp, arith::SubIOp, arith::ExtSIOp, arith::ExtUIOp>(op) &&
         llvm::any_of(
             op->getOperands(), [&](Value operand) { return movesIn(loop, operand, depth + 1); });
}

/// Returns whether the address depends on values that the loop carries.
static bool movesIn(Operation *loop, const Affine &address) {
  return llvm::any_of(address.summands, [&](const Affine::Summand &summand) {
    return movesIn(loop, summand.variable.value);
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
