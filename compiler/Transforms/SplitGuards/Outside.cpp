//===- Outside.cpp - Values of threads outside a guard --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitGuards/Outside.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

SmallVector<Value> regrain::createMissing(OpBuilder &builder, Location location, ValueRange like) {
  SmallVector<Value> missing;
  for (Type type : like.getTypes())
    // The LLVM dialect has no constant of index type.
    if (type.isIndex())
      missing.push_back(builder.create<arith::ConstantIndexOp>(location, 0));
    else
      missing.push_back(builder.create<LLVM::PoisonOp>(location, type));
  return missing;
}

Value regrain::createNeutral(OpBuilder &builder, Location location, grain::Reduction kind) {
  int32_t neutral = kind == grain::Reduction::And ? 1 : 0;
  return builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(neutral));
}
