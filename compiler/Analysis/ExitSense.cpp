//===- ExitSense.cpp - Which way a comparison leans -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ExitSense.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

ExitSense::ExitSense(LoopSlice &end) : end(end) {
  Value condition = cast<scf::WhileOp>(end.getLoop()).getConditionOp().getCondition();
  require(condition, /*holds=*/true);
  add(condition, /*stays=*/true);
  while (!pending.empty()) {
    auto [value, stays] = pending.pop_back_val();
    visit(value, stays);
  }
}

std::optional<arith::CmpIPredicate> ExitSense::staysWhile(arith::CmpIOp compare) const {
  if (std::optional<arith::CmpIPredicate> needed = requiredBy(compare))
    return needed;
  Value value = compare.getResult();
  if (keepsGoing.contains(value) == ends.contains(value))
    return std::nullopt;
  return keepsGoing.contains(value) ? compare.getPredicate()
                                    : arith::invertPredicate(compare.getPredicate());
}

std::optional<arith::CmpIPredicate> ExitSense::requiredBy(arith::CmpIOp compare) const {
  auto found = required.find(compare.getResult());
  if (found == required.end())
    return std::nullopt;
  return found->second ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
}

/// Notes that the loop ends unless `value` holds, or unless it does not.
void ExitSense::require(Value value, bool holds) {
  Operation *op = value.getDefiningOp();
  if (!op || !end.isWithin(value) || !required.try_emplace(value, holds).second)
    return;
  auto flip = dyn_cast<arith::XOrIOp>(op);
  if (holds ? isa<arith::AndIOp>(op) : isa<arith::OrIOp>(op)) {
    for (Value operand : op->getOperands())
      require(operand, holds);
  } else if (flip && value.getType().isInteger(1) && matchPattern(flip.getRhs(), m_One())) {
    require(flip.getLhs(), !holds);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    requireChoice(select.getCondition(), select.getTrueValue(), select.getFalseValue(), holds);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    requireChoice(branch.getCondition(), branch.thenYield().getOperand(index),
                  branch.elseYield().getOperand(index), holds);
  }
}

/// A side that is constant and wrong cannot be taken.
void ExitSense::requireChoice(Value condition, Value whereTrue, Value whereFalse, bool holds) {
  auto isWrong = [&](Value side) {
    APInt constant;
    return matchPattern(side, m_ConstantInt(&constant)) && constant.isZero() == holds;
  };
  if (isWrong(whereFalse)) {
    require(condition, true);
    require(whereTrue, holds);
  } else if (isWrong(whereTrue)) {
    require(condition, false);
    require(whereFalse, holds);
  }
}

void ExitSense::add(Value value, bool stays) {
  if (end.isWithin(value) && (stays ? keepsGoing : ends).insert(value).second)
    pending.push_back({value, stays});
}

void ExitSense::visit(Value value, bool stays) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    visitArgument(argument, stays);
  else
    visitOperation(cast<OpResult>(value), stays);
}

/// Visits the values that a loop passes from one iteration to the next.
void ExitSense::visitArgument(BlockArgument argument, bool stays) {
  unsigned index = argument.getArgNumber();
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    bool isBefore = argument.getOwner() == loop.getBeforeBody();
    if (isBefore)
      add(loop.getInits()[index], stays);
    add(isBefore ? loop.getYieldOp().getOperand(index) : loop.getConditionOp().getArgs()[index],
        stays);
  } else if (auto loop = dyn_cast<scf::ForOp>(parent); loop && index > 0) {
    add(loop.getInitArgs()[index - 1], stays);
    add(loop.getBody()->getTerminator()->getOperand(index - 1), stays);
  }
}

void ExitSense::visitOperation(OpResult result, bool stays) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (isa<arith::AndIOp, arith::OrIOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp,
          LLVM::FreezeOp>(op)) {
    for (Value operand : op->getOperands())
      add(operand, stays);
  } else if (auto flip = dyn_cast<arith::XOrIOp>(op)) {
    if (matchPattern(flip.getRhs(), m_One()))
      add(flip.getLhs(), !stays);
    else
      addUnknown(op);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    visitChoice(select.getCondition(), select.getTrueValue(), select.getFalseValue(), stays);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    visitChoice(branch.getCondition(), branch.thenYield().getOperand(index),
                branch.elseYield().getOperand(index), stays);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    add(loop.getConditionOp().getArgs()[index], stays);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getRegionIterArgs()[index], stays);
  } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    visitTest(compare, stays);
  } else if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    for (Value stored : end.storedFor(load))
      add(stored, stays);
  } else {
    addUnknown(op);
  }
}

/// Either value of each operand of an operation that is not understood may keep the loop going.
void ExitSense::addUnknown(Operation *op) {
  for (Value operand : op->getOperands()) {
    add(operand, true);
    add(operand, false);
  }
}

/// A constant on one side determines how the condition relates to the result. Without one, the
/// condition may keep the loop going either way.
void ExitSense::visitChoice(Value condition, Value whereTrue, Value whereFalse, bool stays) {
  APInt constant;
  if (matchPattern(whereTrue, m_ConstantInt(&constant)))
    add(condition, constant.isZero() != stays);
  else if (matchPattern(whereFalse, m_ConstantInt(&constant)))
    add(condition, constant.isZero() == stays);
  else
    for (bool sense : {true, false})
      add(condition, sense);
  add(whereTrue, stays);
  add(whereFalse, stays);
}

/// Visits a comparison with zero of a truth value that is kept as a number.
void ExitSense::visitTest(arith::CmpIOp compare, bool stays) {
  bool isZero = matchPattern(compare.getRhs(), m_Zero());
  if (isZero && compare.getPredicate() == arith::CmpIPredicate::ne)
    add(compare.getLhs(), stays);
  else if (isZero && compare.getPredicate() == arith::CmpIPredicate::eq)
    add(compare.getLhs(), !stays);
  else
    addUnknown(compare);
}
