//===- WidenSums.cpp - Sums with a counter in 64 bits ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/WidenSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

static bool keepsSign(Operation *op) {
  auto arithmetic = dyn_cast_or_null<arith::ArithIntegerOverflowFlagsInterface>(op);
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
         arithmetic.hasNoSignedWrap();
}

constexpr unsigned mostSums = 4; ///< of which one is made of the other

/// Returns whether a number is made of the counter, and does not wrap.
static bool isMadeOf(Value counter, Value number, unsigned depth = 0) {
  Operation *op = number.getDefiningOp();
  return number == counter ||
         (depth < mostSums && keepsSign(op) &&
          llvm::any_of(
              op->getOperands(),
              [&](Value operand) { return isMadeOf(counter, operand, depth + 1); }));
}

/// Creates a number as one of 64 bits, in which neighbouring iterations are seen to be neighbours.
static Value widen(OpBuilder &builder, Value counter, Value number) {
  Type i64 = builder.getI64Type();
  Operation *op = number.getDefiningOp();
  if (number == counter || !isMadeOf(counter, number))
    return builder.create<arith::ExtSIOp>(number.getLoc(), i64, number);
  Value left = widen(builder, counter, op->getOperand(0));
  Value right = widen(builder, counter, op->getOperand(1));
  Operation *wide = builder.clone(*op);
  wide->setOperands({left, right});
  wide->getResult(0).setType(i64);
  return wide->getResult(0);
}

void regrain::widenSums(Block &body, Value counter) {
  SmallVector<arith::ExtSIOp> extended;
  body.walk([&](arith::ExtSIOp op) {
    bool isSum = op.getIn() != counter && isMadeOf(counter, op.getIn());
    if (isSum && op.getType().isInteger(64) && counter.getType().isInteger(32))
      extended.push_back(op);
  });
  for (arith::ExtSIOp op : extended) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(widen(builder, counter, op.getIn()));
    op.erase();
  }
}
