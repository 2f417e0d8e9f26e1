//===- AffineFacts.cpp - What is known of the values in affine forms ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/AffineTerms.h"
#include "runtime/image/launch_limits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace regrain;

static void addRange(Value value, int64_t least, int64_t most, SmallVectorImpl<Affine> &facts) {
  Affine variable = variableForm(value);
  if (auto above = addTimes(constantForm(-least), 1, variable))
    facts.push_back(*above);
  if (auto below = addTimes(constantForm(most), -1, variable))
    facts.push_back(*below);
}

/// Returns the largest number of blocks in a dimension of a nest if no launch is known. The limits
/// of a grid hold for the program's blocks. If the threads are reshaped, they hold for the launched
/// blocks, each of which may stand for several of the nest.
static int64_t mostBlocks(grain::BlocksOp blocks, unsigned dimension) {
  int64_t launched = maxLaunchedGrid[dimension];
  if (!blocks.threads().getShape())
    return launched;
  return std::min<int64_t>(launched * blocks.getFactors()[dimension], llvm::maxIntN(32));
}

static void addLaunchLimits(BlockArgument coordinate, SmallVectorImpl<Affine> &facts) {
  unsigned d = coordinate.getArgNumber();
  Operation *nest = coordinate.getOwner()->getParentOp();
  if (auto threads = dyn_cast<grain::ThreadsOp>(nest))
    addRange(coordinate, 0, threads.getKnownIterations(d).value_or(maxLaunchedBlock[d]) - 1, facts);
  else if (auto blocks = dyn_cast<grain::BlocksOp>(nest))
    addRange(coordinate, 0, blocks.getKnownCount(d).value_or(mostBlocks(blocks, d)) - 1, facts);
}

/// Returns the range of what `op` computes if nothing is known of its operands but constants;
/// nothing if MLIR does not say.
static std::optional<ConstantIntRanges> rangeOf(InferIntRangeInterface op, Value result) {
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    APInt constant;
    operands.push_back(matchPattern(operand, m_ConstantInt(&constant))
                           ? ConstantIntRanges::constant(constant)
                           : ConstantIntRanges::maxRange(
                                 ConstantIntRanges::getStorageBitwidth(operand.getType())));
  }
  std::optional<ConstantIntRanges> found;
  op.inferResultRanges(operands, [&](Value value, const ConstantIntRanges &range) {
    if (value == result)
      found = range;
  });
  return found;
}

/// Adds the ranges that follow from what defines `result`, a variable of forms.
static void addResultRange(Value result, SmallVectorImpl<Affine> &facts) {
  Operation *op = result.getDefiningOp();
  if (auto size = dyn_cast<grain::BlockSizeOp>(op))
    return addRange(result, 1, maxLaunchedBlock[unsigned(size.getDimension())], facts);
  if (auto size = dyn_cast<grain::GridSizeOp>(op))
    return addRange(result, 1, maxLaunchedGrid[unsigned(size.getDimension())], facts);
  // The bounds of wider numbers may not fit into a form.
  auto inferrable =
      bitsOf(result) <= 64 ? dyn_cast<InferIntRangeInterface>(op) : InferIntRangeInterface();
  if (std::optional<ConstantIntRanges> range =
          inferrable ? rangeOf(inferrable, result) : std::nullopt;
      range && !range->smin().isMinSignedValue())
    addRange(result, range->smin().getSExtValue(), range->smax().getSExtValue(), facts);
}

void AffineForms::addFactsOf(Value variable, SmallVectorImpl<Affine> &facts) {
  auto argument = dyn_cast<BlockArgument>(variable);
  if (!argument) {
    addResultRange(variable, facts);
  } else if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
             loop && variable == loop.getInductionVar()) {
    APInt step;
    if (matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isStrictlyPositive()) {
      if (auto above = addTimes(variableForm(variable), -1, of(loop.getLowerBound())))
        facts.push_back(*above);
      auto below = addTimes(of(loop.getUpperBound()), -1, variableForm(variable));
      if (below && (below = addTimes(*below, 1, constantForm(-1))))
        facts.push_back(*below);
    }
  } else {
    addLaunchLimits(argument, facts);
  }
  if (unsigned bits = bitsOf(variable); bits < 64)
    addRange(variable, llvm::minIntN(bits), llvm::maxIntN(bits), facts);
}

bool regrain::comparesUnsigned(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::ult || predicate == Predicate::ule ||
         predicate == Predicate::ugt || predicate == Predicate::uge;
}

/// Adds what a comparison says of signed numbers, or of numbers that are not negative.
static void addComparison(AffineForms &forms, arith::CmpIOp compare, bool holds,
                          SmallVectorImpl<Affine> &facts) {
  if (bitsOf(compare.getLhs()) > 64)
    return;
  using Predicate = arith::CmpIPredicate;
  Predicate predicate =
      holds ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
  Affine left = forms.of(compare.getLhs()), right = forms.of(compare.getRhs());
  if (comparesUnsigned(predicate) && !(forms.isAtLeast(left, 0) && forms.isAtLeast(right, 0)))
    return;
  auto atLeast = [&](const Affine &a, const Affine &b, int64_t more) {
    std::optional<Affine> difference = addTimes(a, -1, b);
    if (difference && (difference = addTimes(*difference, -1, constantForm(more))))
      facts.push_back(*difference);
  };
  switch (predicate) {
  case Predicate::slt:
  case Predicate::ult:
    return atLeast(right, left, 1);
  case Predicate::sle:
  case Predicate::ule:
    return atLeast(right, left, 0);
  case Predicate::sgt:
  case Predicate::ugt:
    return atLeast(left, right, 1);
  case Predicate::sge:
  case Predicate::uge:
    return atLeast(left, right, 0);
  case Predicate::eq:
    atLeast(left, right, 0);
    return atLeast(right, left, 0);
  case Predicate::ne:
    return;
  }
}

void AffineForms::addCondition(Value condition, bool holds, SmallVectorImpl<Affine> &facts) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return;
  auto isConstant = [&](Value value, bool expected) {
    return matchPattern(value, expected ? m_One() : m_Zero());
  };
  if (auto both = dyn_cast<arith::AndIOp>(op); both && holds) {
    addCondition(both.getLhs(), true, facts);
    addCondition(both.getRhs(), true, facts);
  } else if (auto either = dyn_cast<arith::OrIOp>(op); either && !holds) {
    addCondition(either.getLhs(), false, facts);
    addCondition(either.getRhs(), false, facts);
  } else if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    // select a, b, false is `a and b`; select a, true, b is `a or b`.
    if (holds && isConstant(choice.getFalseValue(), false)) {
      addCondition(choice.getCondition(), true, facts);
      addCondition(choice.getTrueValue(), true, facts);
    } else if (!holds && isConstant(choice.getTrueValue(), true)) {
      addCondition(choice.getCondition(), false, facts);
      addCondition(choice.getFalseValue(), false, facts);
    }
  } else if (auto negation = dyn_cast<arith::XOrIOp>(op);
             negation && isConstant(negation.getRhs(), true)) {
    addCondition(negation.getLhs(), !holds, facts);
  } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    addComparison(*this, compare, holds, facts);
  }
}

std::optional<bool> AffineForms::decide(Value condition) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return !constant.isZero();
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  using Predicate = arith::CmpIPredicate;
  // An order is one form that is not negative; that two numbers are equal would be two.
  if (!compare || compare.getPredicate() == Predicate::eq ||
      compare.getPredicate() == Predicate::ne)
    return std::nullopt;
  for (bool holds : {true, false}) {
    SmallVector<Affine> facts;
    addComparison(*this, compare, holds, facts);
    if (facts.size() == 1 && isAtLeast(facts.front(), 0))
      return holds;
  }
  return std::nullopt;
}

SmallVector<Affine> AffineForms::factsAt(Operation *op) {
  SmallVector<Affine> facts;
  for (Region *region = op->getParentRegion(); region && region != &kernel.getBody();
       region = region->getParentRegion())
    if (auto branch = dyn_cast<scf::IfOp>(region->getParentOp()))
      addCondition(branch.getCondition(), region == &branch.getThenRegion(), facts);
  return facts;
}
