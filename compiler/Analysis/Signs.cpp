//===- Signs.cpp - Integers that are not negative -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Signs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// The operations that are followed, one behind the other.
static constexpr unsigned deepest = 8;

/// Returns whether `value` is not negative if `condition` is `holds`.
static bool impliesNonNegative(Value condition, bool holds, Value value) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>(); both && holds)
    return impliesNonNegative(both.getLhs(), true, value) ||
           impliesNonNegative(both.getRhs(), true, value);
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  APInt bound;
  if (!comparison || comparison.getLhs() != value ||
      !matchPattern(comparison.getRhs(), m_ConstantInt(&bound)))
    return false;
  switch (comparison.getPredicate()) {
  case arith::CmpIPredicate::sge:
    return holds && bound.isNonNegative();
  case arith::CmpIPredicate::sgt:
    return holds && (bound.isNonNegative() || bound.isAllOnes());
  case arith::CmpIPredicate::slt:
    return !holds && bound.isNonNegative();
  case arith::CmpIPredicate::sle:
    return !holds && (bound.isNonNegative() || bound.isAllOnes());
  default:
    return false;
  }
}

static bool isGuarded(Value value, Operation *at) {
  for (Region *region = at->getParentRegion(); region; region = region->getParentRegion())
    if (auto branch = dyn_cast_or_null<scf::IfOp>(region->getParentOp()))
      if (impliesNonNegative(branch.getCondition(), region == &branch.getThenRegion(), value))
        return true;
  return false;
}

namespace {

class NonNegative {
public:
  explicit NonNegative(Operation *at) : at(at) {}

  bool holds(Value value, unsigned depth = 0) const {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.isNonNegative();
    if (isGuarded(value, at))
      return true;
    if (depth == deepest)
      return false;
    Operation *op = value.getDefiningOp();
    return op ? holds(op, depth + 1) : holds(cast<BlockArgument>(value), depth + 1);
  }

private:
  bool holds(Operation *op, unsigned depth) const {
    auto of = [&](unsigned operand) { return holds(op->getOperand(operand), depth); };
    if (isa<grain::BlockSizeOp, grain::GridSizeOp, arith::ExtUIOp>(op))
      return true;
    if (isa<arith::AddIOp, arith::MulIOp>(op))
      return doesNotWrap(op) && of(0) && of(1);
    if (isa<arith::DivSIOp, arith::MinSIOp>(op))
      return of(0) && of(1);
    if (isa<arith::AndIOp, arith::MaxSIOp, arith::MinUIOp>(op))
      return of(0) || of(1);
    if (isa<arith::ExtSIOp, arith::RemSIOp, arith::ShRSIOp>(op))
      return of(0);
    if (isa<arith::RemUIOp>(op))
      return of(1);
    APInt number;
    if (isa<arith::DivUIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&number)))
      return number.ugt(1);
    if (isa<arith::ShRUIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&number)))
      return !number.isZero();
    return isa<arith::SelectOp>(op) && of(1) && of(2);
  }

  /// Coordinates are below the largest signed number, and the counter of a loop only grows.
  bool holds(BlockArgument argument, unsigned depth) const {
    Operation *parent = argument.getOwner()->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && argument == loop.getInductionVar())
      return holds(loop.getLowerBound(), depth);
    return isa<grain::BlocksOp, grain::ThreadsOp>(parent);
  }

  static bool doesNotWrap(Operation *op) {
    auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op).getOverflowAttr().getValue();
    return bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw);
  }

  Operation *at;
};

} // namespace

bool regrain::isNonNegative(Value value, Operation *at) { return NonNegative(at).holds(value); }

Value regrain::signRootOf(Value value) {
  while (true) {
    if (Operation *op = value.getDefiningOp();
        isa_and_nonnull<arith::ExtSIOp, arith::RemSIOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
    if (!loop || argument != loop.getInductionVar())
      return value;
    value = loop.getLowerBound();
  }
}
