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
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

using Form = NeighbourForm;

static constexpr Form open = {Form::Open}, unknown = {Form::Unknown};

static Form equal(unsigned zeros = 0) { return {Form::Equal, zeros}; }

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.isInteger() ? type.getIntOrFloatBitWidth() : 0;
}

Neighbours::Neighbours(grain::ThreadsOp threads, const JoinedThreads &joined,
                       const Uniformity &uniformity)
    : threads(threads), joined(joined),
      varying(Dependence(uint8_t(Dependence::ThreadX) << joined.dimension)), uniformity(uniformity),
      dividesBlock(!threads.getShape() && threads.getFusedIn(joined.dimension) == 1) {
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
  if (form.kind == Form::Equal)
    form.bits = std::min(form.bits, widthOf(value.getType()));
  Form before = of(value), after = form;
  if (before.kind == Form::Equal && form.kind == Form::Equal)
    after.bits = std::min(before.bits, form.bits);
  else if (before.kind != Form::Open && before != form)
    after = unknown;
  known[value] = after;
  changed |= !(before == after);
}

bool Neighbours::isMultiple(Value value, unsigned bits) const {
  Form form = of(value);
  return form.kind == Form::Equal && form.bits >= bits;
}

void Neighbours::visit(Operation *op) {
  if (auto blocks = dyn_cast<grain::BlocksOp>(op)) {
    for (auto [argument, factor] :
         llvm::zip_equal(blocks.getBody().getArguments(), blocks.getFactors()))
      join(argument, equal(llvm::countr_zero(uint32_t(factor))));
  } else if (op == threads) {
    for (auto [d, argument] : llvm::enumerate(threads.getBody().getArguments()))
      join(argument, d == joined.dimension
                         ? Form{Form::Near, llvm::Log2_32(joined.span), joined.stride}
                         : equal());
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
      for (Block &block : region)
        for (Value argument : block.getArguments())
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
    return equal(std::min(first.bits, step.bits));
  return first.kind == Form::Near && isMultiple(loop.getStep(), first.bits) ? first : unknown;
}

/// Loops that begin at neighbours and end at a multiple have as many steps, if a step is one, too.
bool Neighbours::haveOneControl(Operation *op) const {
  auto isKind = [&](Value value, Form::Kind kind) {
    return of(value).kind == kind || of(value).kind == Form::Open;
  };
  auto areOne = [&](Value value) { return isKind(value, Form::Equal); };
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return areOne(branch.getCondition());
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return areOne(choice.getArg());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return areOne(loop.getConditionOp().getCondition());
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !areOne(loop.getUpperBound()) || !areOne(loop.getStep()))
    return false;
  Form first = of(loop.getLowerBound());
  auto isWhole = [&](Value value) {
    return isMultiple(value, first.bits) || of(value).kind == Form::Open;
  };
  return areOne(loop.getLowerBound()) ||
         (first.kind == Form::Near && isWhole(loop.getUpperBound()) && isWhole(loop.getStep()));
}

Form Neighbours::ofOperation(Operation *op) const {
  if (auto size = dyn_cast<grain::BlockSizeOp>(op)) {
    bool isDivided = unsigned(size.getDimension()) == joined.dimension && dividesBlock;
    return equal(isDivided ? llvm::Log2_32(joined.factor) : 0);
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
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    Form form = of(choice.getTrueValue());
    bool isOne = areEqual(choice.getCondition()) && form == of(choice.getFalseValue());
    return isOne && form.kind == Form::Near ? form : unknown;
  }
  return ofNeighbours(op);
}

/// Returns how many low bits of a function of equal integers are zero.
unsigned Neighbours::zeroBitsOf(Operation *op) const {
  auto zeros = [&](unsigned operand) { return of(op->getOperand(operand)).bits; };
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
  // A multiple of a power of two is divided without a rest.
  if (isa<arith::DivUIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&number)) &&
      number.isPowerOf2() && number.logBase2() <= zeros(0))
    return zeros(0) - number.logBase2();
  return 0;
}

/// Returns the form of near numbers divided by `size`, a power of two that may be below 2^n: both
/// the number's multiple and its stride are divided.
Form Neighbours::ofParts(const Form &near, const APInt &size, bool isQuotient) const {
  if (!size.isPowerOf2() || size.logBase2() > near.bits || near.stride % size.getZExtValue() != 0)
    return unknown;
  if (!isQuotient)
    return equal();
  unsigned bits = size.logBase2();
  return {Form::Near, near.bits - bits, near.stride >> bits};
}

/// Returns the form of a function of near numbers and, perhaps, of one number that they share.
Form Neighbours::ofNeighbours(Operation *op) const {
  auto isNear = [&](unsigned operand) { return of(op->getOperand(operand)).kind == Form::Near; };
  bool isSecond = op->getNumOperands() == 2 && isNear(1);
  if (isSecond && !isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp>(op))
    return unknown;
  if (!isNear(isSecond))
    return unknown;
  Form near = of(op->getOperand(isSecond));
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return widthOf(op->getResult(0).getType()) > near.bits ? near : unknown;
  if (op->getNumOperands() != 2)
    return unknown;
  Value other = op->getOperand(!isSecond);
  APInt number;
  bool isNumber = matchPattern(other, m_ConstantInt(&number));
  bool isQuotient = isa<arith::DivUIOp, arith::DivSIOp>(op);
  bool isRest = isa<arith::RemUIOp, arith::RemSIOp>(op);
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp>(op))
    return isMultiple(other, near.bits) ? near : unknown;
  if (isa<arith::AndIOp>(op) && isNumber) {
    if (number.countr_zero() >= near.bits)
      return equal(number.countr_zero());
    return number.countr_one() >= near.bits ? near
           : number.isMask()                ? ofParts(near, number + 1, /*isQuotient=*/false)
                                            : unknown;
  }
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op) && isNumber && number.ult(number.getBitWidth() - 1))
    return number.uge(near.bits)
               ? equal()
               : ofParts(near, APInt::getOneBitSet(number.getBitWidth(), number.getZExtValue()),
                         /*isQuotient=*/true);
  if (isa<arith::DivSIOp, arith::RemSIOp>(op) && !isNonNegative(op->getOperand(0), op))
    return unknown;
  if ((isQuotient || isRest) && isNumber && !isMultiple(other, near.bits))
    return ofParts(near, number, isQuotient);
  if (!isMultiple(other, near.bits))
    return unknown;
  return isQuotient ? equal() : isRest ? near : unknown;
}

/// Neighbours are on one side of a multiple, which belongs to the upper side.
Form Neighbours::ofComparison(arith::CmpIOp op) const {
  using Predicate = arith::CmpIPredicate;
  Value left = op.getLhs(), right = op.getRhs();
  Form ofLeft = of(left), ofRight = of(right);
  // Numbers of neighbours that are one apart have the same rest.
  if (ofLeft.kind == Form::Near && ofLeft == ofRight)
    return ofLeft.stride == 1 && 1u << ofLeft.bits == joined.factor ? equal() : unknown;
  bool isSwapped = ofRight.kind == Form::Near;
  Form near = isSwapped ? ofRight : ofLeft;
  if (near.kind != Form::Near || !isMultiple(isSwapped ? left : right, near.bits))
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
         (areEqual(op->getResult(0)) || strideOf(op->getResult(0)) != 0);
}

SmallVector<Operation *> Neighbours::findUnsigned() const {
  SmallVector<Operation *> found;
  grain::ThreadsOp(threads)->walk([&](Operation *op) {
    if (!isa<arith::DivSIOp, arith::RemSIOp>(op))
      return;
    Form near = of(op->getOperand(0));
    if (near.kind == Form::Near && isMultiple(op->getOperand(1), near.bits) &&
        !isNonNegative(op->getOperand(0), op))
      found.push_back(op);
  });
  return found;
}
