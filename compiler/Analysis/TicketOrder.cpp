//===- TicketOrder.cpp - Order of values computed from tickets ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/TicketOrder.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// Returns whether `value` is a number that may be added to or multiplied with tickets without
/// changing their order: it is not negative and far too small to make them wrap. These are
/// coordinates and sizes of threads and blocks, and what is computed from them.
static bool isSmall(Value value, unsigned depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isNegative() && constant.ule(mostTicketStep);
  Operation *op = value.getDefiningOp();
  Operation *giver = op ? op : value.getParentBlock()->getParentOp();
  if (isa<grain::GrainDialect>(giver->getDialect()) && !isa<grain::KernelOp>(giver))
    return true;
  auto isSmallToo = [&](Value operand) { return isSmall(operand, depth + 1); };
  if (!op || depth > 8)
    return false;
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return kindOf(call) == CalleeKind::Register;
  if (isa<arith::AndIOp>(op))
    return llvm::any_of(op->getOperands(), isSmallToo);
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return isSmallToo(op->getOperand(0)) && isSmallToo(op->getOperand(1));
  if (isa<arith::RemUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp, arith::AddIOp, arith::MulIOp>(op))
    return llvm::all_of(op->getOperands(), isSmallToo);
  return false;
}

TicketOrder regrain::orderBehind(Operation *op, Value other) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  TicketOrder flagged = {flags && flags.hasNoSignedWrap(), flags && flags.hasNoUnsignedWrap()};
  if (isa<arith::AddIOp>(op))
    return isSmall(other) ? TicketOrder::both() : flagged;
  if (isa<arith::SubIOp>(op))
    return {flagged.isSigned || isSmall(other), flagged.isUnsigned};
  // A product that does not wrap as an unsigned number may still become negative.
  if (isa<arith::MulIOp, arith::ShLIOp>(op) && isSmall(other))
    return {flagged.isSigned, flagged.isSigned || flagged.isUnsigned};
  if (isa<arith::MulIOp, arith::ShLIOp>(op))
    return TicketOrder::neither();
  return isSmall(other) ? TicketOrder::both() : TicketOrder::neither();
}

bool regrain::endsGoingUp(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::slt || predicate == Predicate::sle ||
         predicate == Predicate::ult || predicate == Predicate::ule || predicate == Predicate::eq;
}

bool regrain::endsGoingDown(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::eq || (predicate != Predicate::ne && !endsGoingUp(predicate));
}
