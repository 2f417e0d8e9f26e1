//===- Available.cpp - What threads outside a guard can compute -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitGuards/Available.h"

#include "compiler/Analysis/RegionFlow.h"
#include "compiler/Analysis/Speculation.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace regrain;

/// Everything counts as available until one of its operands is found not to be.
Available::Available(Region &guarded, const Barriers &barriers) : barriers(barriers) {
  bool changed;
  do {
    changed = false;
    guarded.walk([&](Operation *op) { changed |= visit(op); });
  } while (changed);
}

bool Available::isHoistable(Operation *op) const {
  return op->getNumRegions() == 0 && mayRunAnywhere(op) &&
         llvm::all_of(op->getOperands(), [&](Value value) { return contains(value); });
}

/// Marks the results of `op` that are not available as guarded; returns true if that is new.
bool Available::visit(Operation *op) {
  bool changed = false;
  auto guardAll = [&](ValueRange values) {
    for (Value value : values)
      changed |= guard(value);
  };
  auto flow = [&](ValueRange sources, ValueRange targets) {
    for (auto [source, target] : llvm::zip_equal(sources, targets))
      if (!contains(source))
        changed |= guard(target);
  };
  // All threads have the result of a reduction.
  if (isa<grain::BarrierReduceOp>(op))
    return false;
  if (op->getNumRegions() == 0 || !barriers.isIn(op)) {
    if (!isHoistable(op))
      guardAll(op->getResults());
    return changed;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (!contains(branch.getCondition())) {
      guardAll(branch.getResults());
    } else if (branch.getNumResults() != 0) {
      flow(branch.thenYield().getOperands(), branch.getResults());
      flow(branch.elseYield().getOperands(), branch.getResults());
    }
  } else if (!visitLoopFlow(op, flow)) {
    guardAll(op->getResults());
  }
  return changed;
}
