//===- ZeroBits.cpp - What integers are multiples of ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ZeroBits.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// The operations that are followed, one behind the other.
static constexpr unsigned deepest = 6;

static uint64_t zeroBits(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.countr_zero();
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepest)
    return 0;
  auto of = [&](unsigned operand) { return zeroBits(op->getOperand(operand), depth + 1); };
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
    return of(0);
  if (isa<arith::MulIOp>(op))
    return of(0) + of(1);
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::min(of(0), of(1));
  if (isa<arith::AndIOp>(op))
    return std::max(of(0), of(1));
  if (isa<arith::ShLIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return of(0) + constant.getLimitedValue(64);
  return 0;
}

unsigned regrain::zeroBitsOf(Value value) {
  uint64_t width = value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
  return std::min(zeroBits(value, 0), width);
}

std::optional<unsigned> regrain::multipleIn(arith::AddIOp sum, AffineForms &forms) {
  for (unsigned multiple : {0u, 1u}) {
    unsigned bits = std::min(zeroBitsOf(sum->getOperand(multiple)), 31u);
    Affine rest = forms.of(sum->getOperand(1 - multiple));
    if (bits && forms.isWithin(rest, 0, (int64_t(1) << bits) - 1))
      return multiple;
  }
  return std::nullopt;
}
