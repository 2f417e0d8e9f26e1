//===- Refusal.cpp - Why a transform left a kernel alone ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Refusal.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

static FileLineColLoc positionOf(Location location) {
  if (auto position = dyn_cast<FileLineColLoc>(location))
    return position;
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return positionOf(call.getCaller());
  if (auto name = dyn_cast<NameLoc>(location))
    return positionOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (FileLineColLoc position = positionOf(part))
        return position;
  return {};
}

FileLineColLoc regrain::positionInKernel(Operation *op) {
  for (; op; op = op->getParentOp())
    if (FileLineColLoc position = positionOf(op->getLoc()))
      return position;
  return {};
}

LogicalResult regrain::refuse(Refusal &refusal, Operation *op, RefusalKind kind, StringRef reason) {
  refusal.kind = kind;
  refusal.reason = reason.str();
  refusal.location = op->getLoc();
  if (FileLineColLoc position = positionInKernel(op)) {
    refusal.file = position.getFilename().str();
    refusal.line = position.getLine();
    refusal.column = position.getColumn();
  }
  return failure();
}

LogicalResult regrain::refuseDivergentBarrier(Refusal &refusal, Operation *control) {
  return refuse(refusal, control, RefusalKind::DivergentBarrier,
                isa<scf::IfOp, scf::IndexSwitchOp>(control)
                    ? "a barrier stands under a condition that may differ between threads"
                    : "a barrier stands in a loop whose end may differ between threads");
}

void regrain::emitRemark(const Refusal &refusal) {
  mlir::emitRemark(Location(refusal.location))
      << refusal.stage << ": " << refusal.reason << "; to lift this: " << remedyFor(refusal.kind);
}
