//===- Refuse.cpp - Refusals at operations --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Refusal/Refuse.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace regrain;

static SourcePosition positionOf(Location location) {
  if (auto position = dyn_cast<FileLineColLoc>(location))
    return {position.getFilename().str(), position.getLine(), position.getColumn()};
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return positionOf(call.getCaller());
  if (auto name = dyn_cast<NameLoc>(location))
    return positionOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (SourcePosition position = positionOf(part); position.isKnown())
        return position;
  return {};
}

SourcePosition regrain::positionInKernel(Operation *op) {
  for (; op; op = op->getParentOp())
    if (SourcePosition position = positionOf(op->getLoc()); position.isKnown())
      return position;
  return {};
}

Location regrain::locationOf(const SourcePosition &where, MLIRContext *context) {
  if (!where.isKnown())
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, where.file, where.line, where.column);
}

Refusal regrain::refuse(Operation *op, RefusalKind kind, const Twine &reason) {
  return {kind, reason.str(), positionInKernel(op)};
}
