//===- StrideLoop.cpp - Loops over what is s apart ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealStrides/StrideLoop.h"

#include "compiler/Transforms/WidenSums.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Numbers of 64 bits are looked at up to this one, so that sums of a few do not wrap.
constexpr uint64_t mostWide = uint64_t(1) << 62;
/// The same of steps.
constexpr uint64_t mostStep = uint64_t(1) << 32;

Value createNumber(OpBuilder &builder, Location location, uint64_t value) {
  return builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(int64_t(value)));
}

Value extend(OpBuilder &builder, Location location, Value value, bool isUnsigned) {
  Type i64 = builder.getI64Type();
  if (value.getType() == i64)
    return value;
  return isUnsigned ? builder.create<arith::ExtUIOp>(location, i64, value).getResult()
                    : builder.create<arith::ExtSIOp>(location, i64, value).getResult();
}

/// Returns the number that `value`, of the counter's type, is as one of 64 bits.
WideNumber widen(Value value, bool isUnsigned, WrappingSums &sums) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp>(op) &&
      op->getOperand(0).getType().isInteger(32)) {
    value = op->getOperand(0);
    isUnsigned = isa<arith::ExtUIOp>(op);
  }
  return {value.getType(), isUnsigned, sums.of(value)};
}

bool isIn(Value value, Operation *loop) {
  return loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// Returns the end if `comparison` holds for numbers of the counter that are less than it.
std::optional<Value> endOf(arith::CmpIOp comparison, Value counter, bool &isUnsigned) {
  using Predicate = arith::CmpIPredicate;
  Value less = comparison.getLhs(), more = comparison.getRhs();
  Predicate predicate = comparison.getPredicate();
  if (predicate == Predicate::sgt || predicate == Predicate::ugt)
    std::swap(less, more);
  else if (predicate != Predicate::slt && predicate != Predicate::ult)
    return std::nullopt;
  isUnsigned = predicate == Predicate::ult || predicate == Predicate::ugt;
  return less == counter ? std::optional(more) : std::nullopt;
}

/// Finds the parts of a while loop: the values of the start, the step and the end.
bool findWhile(scf::WhileOp loop, StrideLoop &found, Value &start, Value &step) {
  if (loop.getInits().size() != 1 || loop.getNumResults() != 1 || !loop.getResult(0).use_empty())
    return false;
  Value before = loop.getBeforeArguments().front();
  scf::ConditionOp condition = loop.getConditionOp();
  auto comparison = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!comparison || comparison->getBlock() != loop.getBeforeBody() ||
      condition.getArgs().front() != before)
    return false;
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (&op != comparison && !isa<grain::LoopHintOp>(op))
      return false;
  std::optional<Value> end = endOf(comparison, before, found.isUnsigned);
  auto next = loop.getYieldOp().getOperand(0).getDefiningOp<arith::AddIOp>();
  found.counter = loop.getAfterArguments().front();
  if (!end || !next || (next.getLhs() != found.counter && next.getRhs() != found.counter))
    return false;
  found.end = *end;
  start = loop.getInits().front();
  step = next.getLhs() == found.counter ? next.getRhs() : next.getLhs();
  return true;
}

bool findFor(scf::ForOp loop, StrideLoop &found, Value &start, Value &step) {
  found.counter = loop.getInductionVar();
  found.end = loop.getUpperBound();
  start = loop.getLowerBound();
  step = loop.getStep();
  return loop.getInitArgs().empty();
}

/// Creates the condition under which no number of the loop wraps, and threads divide the block.
Value createGuard(OpBuilder &builder, const StrideLoop &found, uint32_t width, Value size,
                  const WrappingSums &sums) {
  Location location = found.loop->getLoc();
  auto number = [&](uint64_t value) { return createNumber(builder, location, value); };
  auto atMost = [&](Value value, Value most) -> Value {
    return builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ule, value, most);
  };
  auto minus = [&](Value from, Value value) -> Value {
    return builder.create<arith::SubIOp>(location, from, value);
  };
  Value wideSize = extend(builder, location, size, /*isUnsigned=*/true);
  Value rest = builder.create<arith::AndIOp>(location, wideSize, number(width - 1));
  Value step = found.step.create(builder, location, sums);
  Value end = extend(builder, location, found.end, found.isUnsigned);
  uint64_t mostFirst = std::min(found.most(), StrideLoop::mostOf(found.first.type));
  Value holds = atMost(rest, number(0));
  for (Value more :
       {atMost(minus(step, number(1)), number(std::min(found.most(), mostStep) - 1)),
        atMost(end, minus(number(found.most()), step)),
        atMost(found.first.create(builder, location, sums), minus(number(mostFirst), wideSize))})
    holds = builder.create<arith::AndIOp>(location, holds, more);
  return holds;
}

/// Lets the body use the counter of 64 bits, which has no sign in the narrow type either.
void useWideCounter(scf::ForOp loop, Value narrow) {
  Value wide = loop.getInductionVar();
  widenSums(*loop.getBody(), narrow);
  for (Operation *user : llvm::make_early_inc_range(narrow.getUsers()))
    if (isa<arith::ExtSIOp, arith::ExtUIOp>(user) &&
        user->getResult(0).getType() == wide.getType() && user != narrow.getDefiningOp()) {
      user->getResult(0).replaceAllUsesWith(wide);
      user->erase();
    }
}

} // namespace

uint64_t StrideLoop::mostOf(Type type) { return type.isInteger(64) ? mostWide : INT32_MAX; }

Value WideNumber::create(OpBuilder &builder, Location location, const WrappingSums &sums,
                         Value size) const {
  return extend(builder, location, sums.create(builder, location, sum, type, size), isUnsigned);
}

std::optional<StrideLoop> regrain::findStrideLoop(Operation *loop, DealingFacts &facts) {
  StrideLoop found;
  found.loop = loop;
  Value start, step;
  auto counted = dyn_cast<scf::ForOp>(loop);
  auto repeated = dyn_cast<scf::WhileOp>(loop);
  bool isFound = counted ? findFor(counted, found, start, step)
                         : repeated && findWhile(repeated, found, start, step);
  if (!isFound || !(found.counter.getType().isInteger(32) || found.counter.getType().isInteger(64)))
    return std::nullopt;
  for (Value bound : {found.end, step})
    if (!facts.isSame(bound) || isIn(bound, loop))
      return std::nullopt;
  found.first = widen(start, found.isUnsigned, facts.sums);
  found.step = widen(step, found.isUnsigned, facts.sums);
  auto threads = loop->getParentOfType<grain::ThreadsOp>();
  unsigned x = facts.sums.symbolOf(threads.getBody().getArgument(0));
  if (!found.first.sum.factorOf(x).equals(WrappingSum::of(1),
                                          found.first.type.getIntOrFloatBitWidth()))
    return std::nullopt;
  found.first.sum = found.first.sum.plus(uint64_t(-1), WrappingSum::ofSymbol(x));
  bool isSame =
      facts.isSameBefore(loop, found.first.sum) && facts.isSameBefore(loop, found.step.sum);
  return isSame ? std::optional(found) : std::nullopt;
}

RaisedLoop regrain::raiseLoop(const StrideLoop &found, uint32_t width, const WrappingSums &sums) {
  OpBuilder builder(found.loop);
  Location location = found.loop->getLoc();
  auto threads = found.loop->getParentOfType<grain::ThreadsOp>();
  RaisedLoop raised;
  if (std::optional<int32_t> known = threads.getKnownIterations(0))
    raised.size = builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(*known));
  else
    raised.size =
        builder.create<grain::BlockSizeOp>(location, builder.getI32Type(), grain::Dimension::X);
  Value holds = createGuard(builder, found, width, raised.size, sums);
  Value first = found.first.create(builder, location, sums);
  Value own = extend(builder, location, threads.getBody().getArgument(0), /*isUnsigned=*/true);
  first = builder.create<arith::AddIOp>(location, first, own);
  Value step = found.step.create(builder, location, sums);
  Value end = extend(builder, location, found.end, found.isUnsigned);
  raised.guard = builder.create<scf::IfOp>(location, holds, /*withElseRegion=*/true);
  OpBuilder inside(raised.guard.thenBlock()->getTerminator());
  raised.loop = inside.create<scf::ForOp>(location, first, end, step);
  OpBuilder body(raised.loop.getBody()->getTerminator());
  Value counter = raised.loop.getInductionVar();
  if (found.counter.getType() != counter.getType())
    counter = body.create<arith::TruncIOp>(location, found.counter.getType(), counter);
  IRMapping mapping;
  mapping.map(found.counter, counter);
  for (Operation &op : cast<BlockArgument>(found.counter).getOwner()->without_terminator())
    body.clone(op, mapping);
  useWideCounter(raised.loop, counter);
  found.loop->moveBefore(raised.guard.elseBlock()->getTerminator());
  return raised;
}

void regrain::lowerLoop(const StrideLoop &found, const RaisedLoop &raised) {
  found.loop->moveBefore(raised.guard);
  raised.guard->erase();
}
