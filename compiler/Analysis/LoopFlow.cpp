//===- LoopFlow.cpp - How values flow through a loop ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopFlow.h"

using namespace mlir;

bool regrain::visitLoopFlow(Operation *op, function_ref<void(ValueRange, ValueRange)> flow) {
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
