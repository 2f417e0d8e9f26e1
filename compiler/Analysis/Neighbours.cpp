//===- Neighbours.cpp - What neighbouring threads compute alike -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Neighbours.h"

#include "compiler/Analysis/Signs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace regrain;

using Form = NeighbourForm;

static constexpr Form open = {Form::Open}, unknown = {Form::Unknown},
                      consecutive = {Form::Consecutive};

static Form equal(unsigned zeros = 0) { return {Form::Equal, zeros}; }

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.isInteger() ? type.getIntOrFloatBitWidth() : 0;
}

Neighbours::Neighbours(grain::ThreadsOp threads, unsigned dimension, unsigned factor,
                       const Uniformity &uniformity)
    : threads(threads), dimension(dimension), bits(llvm::countr_zero(factor)),
      varying(Dependence(uint8_t(Dependence::ThreadX) << dimension)), uniformity(uniformity),
      dividesBlock(!threads.getShape() && threads.getFusedIn(dimension) == 1) {
  auto kernel = threads->getParentOfType<grain::KernelOp>();
  for (BlockArgument argument : kernel.getBody().getArguments())
    known[argument] = equal();
  do {
    changed = false;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

Form Neighbours::of(Value value) const {
  auto found = known.find(value);
  return found == known.end() ? open : found->second;
}

/// What is the same for all threads has one value, whatever is known of its bits.
void Neighbours::join(Value value, Form form) {
  if (form.kind == Form::Open)
    return;
  if (form.kind != Form::Equal && !overlap(uniformity.of(value), varying))
    form = equal();
  form.zeros = std::min(form.zeros, widthOf(value.getType()));
  Form before = of(value), after = form;
  if (before.kind == Form::Equal && form.kind == Form::Equal)
    after.zeros = std::min(before.zeros, form.zeros);
  else if (before.kind != Form::Open && before.kind != form.kind)
    after = unknown;
  known[value] = after;
  changed |= !(before == after);
}

bool Neighbours::isMultiple(Value value) const {
  Form form = of(value);
  return form.kind == Form::Equal && form.zeros >= bits;
}

void Neighbours::visit(Operation *op) {
  if (auto blocks = dyn_cast<grain::BlocksOp>(op)) {
    for (auto [argument, factor] :
         llvm::zip_equal(blocks.getBody().getArguments(), blocks.getFactors()))
      join(argument, equal(llvm::countr_zero(uint32_t(factor))));
  } else if (op == threads) {
    for (auto [d, argument] : llvm::enumerate(threads.getBody().getArguments()))
      join(argument, d == dimension ? consecutive : equal());
  } else if (op->getNumRegions() == 0) {
    for (Value result : op->getResults())
      join(result, ofOperation(op));
  } else {
    visitRegions(op);
  }
}

void Neighbours::visitRegions(Operation *op) {
  bool isOne = haveOneControl(op);
  auto joinAll = [&](ValueRange targets, ValueRange sources, bool areKnown = true) {
    for (auto [target, source] : llvm::zip_equal(targets, sources))
      join(target, areKnown ? of(source) : unknown);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    join(loop.getInductionVar(), ofCounter(loop));
    for (ValueRange sources : {ValueRange(loop.getInitArgs()), loop.getYieldedValues()}) {
      joinAll(loop.getRegionIterArgs(), sources);
      joinAll(loop.getResults(), sources, isOne);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    scf::ConditionOp condition = loop.getConditionOp();
    joinAll(loop.getBeforeArguments(), loop.getInits());
    joinAll(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    joinAll(loop.getAfterArguments(), condition.getArgs());
    joinAll(loop.getResults(), condition.getArgs(), isOne);
  } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        joinAll(op->getResults(), region.front().getTerminator()->getOperands(), isOne);
  } else if (!isa<grain::KernelOp>(op)) {
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        join(argument, unknown);
    for (Value result : op->getResults())
      join(result, unknown);
  }
}

Form Neighbours::ofCounter(scf::ForOp loop) const {
  Form first = of(loop.getLowerBound()), step = of(loop.getStep());
  if (first.kind == Form::Open || step.kind == Form::Open)
    return open;
  if (first.kind == Form::Equal && step.kind == Form::Equal)
    return equal(std::min(first.zeros, step.zeros));
  return first.kind == Form::Consecutive && isMultiple(loop.getStep()) ? consecutive : unknown;
}

/// Loops that begin at neighbours and end at a multiple have as many steps, if a step is one, too.
bool Neighbours::haveOneControl(Operation *op) const {
  auto isKind = [&](Value value, Form::Kind kind) {
    return of(value).kind == kind || of(value).kind == Form::Open;
  };
  auto areOne = [&](Value value) { return isKind(value, Form::Equal); };
  auto isWhole = [&](Value value) { return isMultiple(value) || of(value).kind == Form::Open; };
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return areOne(branch.getCondition());
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return areOne(choice.getArg());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return areOne(loop.getConditionOp().getCondition());
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !areOne(loop.getUpperBound()) || !areOne(loop.getStep()))
    return false;
  return areOne(loop.getLowerBound()) || (isKind(loop.getLowerBound(), Form::Consecutive) &&
                                          isWhole(loop.getUpperBound()) && isWhole(loop.getStep()));
}

Form Neighbours::ofOperation(Operation *op) const {
  if (auto size = dyn_cast<grain::BlockSizeOp>(op)) {
    bool isDivided = unsigned(size.getDimension()) == dimension && dividesBlock;
    return equal(isDivided ? bits : 0);
  }
  if (llvm::any_of(op->getOperands(), [&](Value v) { return of(v).kind == Form::Open; }))
    return open;
  APInt number;
  if (op->getNumResults() == 1 && matchPattern(op->getResult(0), m_ConstantInt(&number)))
    return equal(number.countr_zero());
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return unknown;
  if (llvm::all_of(op->getOperands(), [&](Value v) { return areEqual(v); }))
    return equal(zeroBitsOf(op));
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return ofComparison(comparison);
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return areEqual(choice.getCondition()) && areConsecutive(choice.getTrueValue()) &&
                   areConsecutive(choice.getFalseValue())
               ? consecutive
               : unknown;
  return ofNeighbours(op);
}

/// Returns how many low bits of a function of equal integers are zero.
unsigned Neighbours::zeroBitsOf(Operation *op) const {
  auto zeros = [&](unsigned operand) { return of(op->getOperand(operand)).zeros; };
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return zeros(0);
  if (isa<arith::MulIOp>(op))
    return zeros(0) + zeros(1);
  if (isa<arith::AndIOp>(op))
    return std::max(zeros(0), zeros(1));
  // What is left by a division is the number less a multiple of the divisor.
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp, arith::RemSIOp, arith::RemUIOp,
          arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(op))
    return std::min(zeros(0), zeros(1));
  if (isa<arith::SelectOp>(op))
    return std::min(zeros(1), zeros(2));
  APInt number;
  if (isa<arith::ShLIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&number)))
    return zeros(0) + number.getLimitedValue(64);
  return 0;
}

/// Returns the form of a function of neighbours and, perhaps, of one number that they share.
Form Neighbours::ofNeighbours(Operation *op) const {
  bool isSecond = op->getNumOperands() == 2 && areConsecutive(op->getOperand(1));
  if (isSecond && !isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp>(op))
    return unknown;
  if (!areConsecutive(op->getOperand(isSecond)))
    return unknown;
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return widthOf(op->getResult(0).getType()) > bits ? consecutive : unknown;
  if (op->getNumOperands() != 2)
    return unknown;
  Value other = op->getOperand(!isSecond);
  APInt number;
  bool isNumber = matchPattern(other, m_ConstantInt(&number));
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp>(op))
    return isMultiple(other) ? consecutive : unknown;
  if (isa<arith::AndIOp>(op) && isNumber)
    return number.countr_one() >= bits    ? consecutive
           : number.countr_zero() >= bits ? equal(number.countr_zero())
                                          : unknown;
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op) && isNumber)
    return number.uge(bits) && number.ult(number.getBitWidth()) ? equal() : unknown;
  if (!isMultiple(other))
    return unknown;
  if (isa<arith::DivSIOp, arith::RemSIOp>(op) && !isNonNegative(op->getOperand(0), op))
    return unknown;
  if (isa<arith::DivUIOp, arith::DivSIOp>(op))
    return equal();
  return isa<arith::RemUIOp, arith::RemSIOp>(op) ? consecutive : unknown;
}

/// Neighbours are on one side of a multiple, which belongs to the upper side.
Form Neighbours::ofComparison(arith::CmpIOp op) const {
  using Predicate = arith::CmpIPredicate;
  Value left = op.getLhs(), right = op.getRhs();
  if (areConsecutive(left) && areConsecutive(right))
    return equal();
  bool isSwapped = areConsecutive(right);
  if (!areConsecutive(isSwapped ? right : left) || !isMultiple(isSwapped ? left : right))
    return unknown;
  Predicate predicate = op.getPredicate();
  bool separates =
      isSwapped
          ? llvm::is_contained({Predicate::sgt, Predicate::sle, Predicate::ugt, Predicate::ule},
                               predicate)
          : llvm::is_contained({Predicate::slt, Predicate::sge, Predicate::ult, Predicate::uge},
                               predicate);
  return separates ? equal() : unknown;
}

bool Neighbours::isOfFirst(Operation *op) const {
  return isa<arith::ArithDialect>(op->getDialect()) &&
         (areEqual(op->getResult(0)) || areConsecutive(op->getResult(0)));
}

SmallVector<Operation *> Neighbours::findUnsigned() const {
  SmallVector<Operation *> found;
  grain::ThreadsOp(threads)->walk([&](Operation *op) {
    if (isa<arith::DivSIOp, arith::RemSIOp>(op) && areConsecutive(op->getOperand(0)) &&
        isMultiple(op->getOperand(1)) && !isNonNegative(op->getOperand(0), op))
      found.push_back(op);
  });
  return found;
}
