//===- RegionFlow.cpp - How values flow through regions -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/RegionFlow.h"

using namespace mlir;

bool regrain::visitLoopFlow(Operation *op, VisitFlow flow) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    flow(loop.getInitArgs(), loop.getRegionIterArgs());
    flow(loop.getBody()->getTerminator()->getOperands(), loop.getRegionIterArgs());
    flow(loop.getRegionIterArgs(), loop.getResults());
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    flow(loop.getInits(), loop.getBeforeArguments());
    flow(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    flow(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    flow(loop.getConditionOp().getArgs(), loop.getResults());
    return true;
  }
  return false;
}

void regrain::visitRegionFlow(Operation *op, VisitFlow flow, function_ref<void(Value)> unknown) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    flow(branch.thenYield().getOperands(), branch.getResults());
    flow(branch.elseYield().getOperands(), branch.getResults());
  } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    for (Region &region : choice->getRegions())
      flow(region.front().getTerminator()->getOperands(), choice.getResults());
  } else if (!visitLoopFlow(op, flow)) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), unknown);
    llvm::for_each(op->getResults(), unknown);
  }
}
