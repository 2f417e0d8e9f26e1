//===- DealLoop.cpp - A loop among lanes ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new loop counts in 64 bits, in which the numbers of no lane overflow. If it carries sums in
// the program's order, all lanes run it equally often, and add in each round the terms of all:
//
//   for (r = first; r < end; r += 32) {
//     t = r + lane < end ? term(r + lane) : -0
//     for (l in 0..31) { s += t of lane l }
//   }
//
// As long as there are enough iterations, several rounds are run at a time, so that no load waits
// for the sums before it (FullRounds.h).
//
// -0 is the number that changes no sum, not even a zero's sign.
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/DealLoop.h"

#include "compiler/Transforms/SplitThreads/Combiners.h"
#include "compiler/Transforms/SplitThreads/FullRounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

/// The terms of a sum that lanes add at a time.
constexpr unsigned termsAtOnce = 64;

/// Sums and products of counters do not wrap.
constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

static Value createNumber(OpBuilder &builder, Location location, Type type, int64_t value) {
  return builder.create<arith::ConstantOp>(location, builder.getIntegerAttr(type, value));
}

static Value createFloat(OpBuilder &builder, Location location, Type type, double value) {
  return builder.create<arith::ConstantOp>(location, builder.getFloatAttr(type, value));
}

namespace {

/// A number that an ordered sum adds: what lanes exchange, and how it is widened before it is
/// added.
struct Term {
  Value exchanged;
  Operation *widening; ///< null if it is added as it is
  double neutral;
};

class Dealing {
public:
  Dealing(const DealtLoop &dealt, const LaneGroup &group)
      : dealt(dealt), old(dealt.loop), group(group), outside(old), location(old.getLoc()) {}

  SmallVector<scf::ForOp> run();

private:
  bool isOrdered() const { return dealt.carried.areOrdered(); }
  const CarriedValue &carriedOf(unsigned number) const { return dealt.carried.values[number]; }
  Value createStart(unsigned number);
  void createLoop();
  void replaceCounter(OpBuilder &inside, Value counter);
  void moveBody();
  Value createPosition(OpBuilder &inside, const Choice &choice, Value before);
  scf::IfOp moveOrderedBody();
  void collectTerms();
  Value addTerms(OpBuilder &inside, unsigned number, ValueRange exchanged);
  void combine(unsigned number, OpBuilder &behind);
  void combineChoice(unsigned index, OpBuilder &behind);
  Value createIsBetter(OpBuilder &behind, const Choice &choice, Value other, Value own, bool equal);

  const DealtLoop &dealt;
  scf::ForOp old, loop;
  const LaneGroup &group;
  OpBuilder outside;
  Location location;
  Value counter; ///< of the new loop's iteration
  SmallVector<Term> terms;
  SmallVector<Value> results; ///< what takes the place of the old loop's
};

/// Creates what a lane's part of a carried value begins with.
Value Dealing::createStart(unsigned number) {
  const CarriedValue &carried = carriedOf(number);
  Value start = old.getInitArgs()[number];
  Type type = start.getType();
  Value neutral;
  if (carried.kind == CarriedValue::Summed)
    neutral = createFloat(outside, location, type, -0.0);
  else if (std::optional<int64_t> value = carried.kind == CarriedValue::Combined
                                              ? neutralOf(carried.links.front())
                                              : std::nullopt)
    neutral = createNumber(outside, location, type, *value);
  return neutral ? outside.create<arith::SelectOp>(location, group.isFirst(), start, neutral)
                       .getResult()
                 : start;
}

void Dealing::createLoop() {
  Type i64 = outside.getI64Type();
  auto widened = [&](Value value) -> Value {
    return value.getType() == i64
               ? value
               : outside.create<arith::ExtSIOp>(location, i64, value).getResult();
  };
  int64_t step = getConstantIntValue(old.getStep()).value();
  Value first = widened(old.getLowerBound()), end = widened(old.getUpperBound());
  if (!isOrdered()) {
    Value own = outside.create<arith::MulIOp>(location, group.getNumber(),
                                              createNumber(outside, location, i64, step), noWrap);
    first = outside.create<arith::AddIOp>(location, first, own, noWrap);
  }
  SmallVector<Value> starts;
  for (unsigned number = 0; number < old.getNumRegionIterArgs(); ++number)
    starts.push_back(createStart(number));
  // An initial value is before all iterations.
  for (size_t index = 0; index < dealt.carried.choices.size(); ++index)
    starts.push_back(createNumber(outside, location, i64, std::numeric_limits<int64_t>::min()));
  Value stride = createNumber(outside, location, i64, step * group.getLanes());
  loop = outside.create<scf::ForOp>(location, first, end, stride, starts);
  if (!loop.getBody()->empty())
    loop.getBody()->clear();
  for (auto [before, after] : llvm::zip(old.getRegionIterArgs(), loop.getRegionIterArgs()))
    before.replaceAllUsesWith(after);
}

/// Replaces the old counter. It is not negative if it starts so.
void Dealing::replaceCounter(OpBuilder &inside, Value counter) {
  Value before = old.getInductionVar();
  if (before.getType() == counter.getType())
    return before.replaceAllUsesWith(counter);
  std::optional<int64_t> first = getConstantIntValue(old.getLowerBound());
  for (Operation *user : llvm::make_early_inc_range(before.getUsers())) {
    bool isSame = isa<arith::ExtSIOp>(user) || (isa<arith::ExtUIOp>(user) && first && *first >= 0);
    if (!isSame || user->getResult(0).getType() != counter.getType())
      continue;
    user->getResult(0).replaceAllUsesWith(counter);
    user->erase();
  }
  if (!before.use_empty())
    before.replaceAllUsesWith(inside.create<arith::TruncIOp>(location, before.getType(), counter));
}

/// Creates the number of the iteration from which a choice is, in and after this one.
Value Dealing::createPosition(OpBuilder &inside, const Choice &choice, Value before) {
  Value condition = choice.comparison->getResult(0);
  return choice.takesWhereTrue
             ? inside.create<arith::SelectOp>(location, condition, counter, before)
             : inside.create<arith::SelectOp>(location, condition, before, counter);
}

/// Moves the iterations of a loop that lanes run by themselves.
void Dealing::moveBody() {
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  counter = loop.getInductionVar();
  replaceCounter(inside, counter);
  Block *from = old.getBody();
  SmallVector<Value> next(from->getTerminator()->getOperands());
  for (Operation &op : llvm::make_early_inc_range(from->without_terminator()))
    op.moveBefore(loop.getBody(), loop.getBody()->end());
  inside.setInsertionPointToEnd(loop.getBody());
  for (auto [index, choice] : llvm::enumerate(dealt.carried.choices))
    next.push_back(createPosition(inside, choice, loop.getRegionIterArg(results.size() + index)));
  inside.create<scf::YieldOp>(location, next);
}

/// Notes what ordered sums add. A number that is widened for that is exchanged before.
void Dealing::collectTerms() {
  auto add = [&](Value value, double neutral) {
    Operation *widening = value.getDefiningOp<LLVM::FPExtOp>();
    if (widening && !old->isAncestor(widening))
      widening = nullptr;
    terms.push_back({widening ? widening->getOperand(0) : value, widening, neutral});
  };
  for (const CarriedValue &carried : dealt.carried.values) {
    if (carried.kind != CarriedValue::Ordered)
      continue;
    Value before = loop.getRegionIterArg(&carried - dealt.carried.values.begin());
    for (Operation *link : carried.links) {
      bool isFused = isa<LLVM::FMulAddOp, LLVM::FMAOp>(link);
      for (OpOperand &operand : link->getOpOperands())
        if (operand.get() != before || (isFused && operand.getOperandNumber() != 2))
          add(operand.get(), isFused && operand.getOperandNumber() == 1 ? 1.0
                             : isa<LLVM::FSubOp>(link)                  ? 0.0
                                                                        : -0.0);
      before = link->getResult(0);
    }
  }
}

/// Adds the terms of all lanes to a sum. `exchanged` are the terms of this sum in the own lane.
Value Dealing::addTerms(OpBuilder &inside, unsigned number, ValueRange exchanged) {
  const CarriedValue &carried = carriedOf(number);
  Value sum = loop.getRegionIterArg(number);
  size_t before = 0; // terms of the sums before this one
  for (unsigned other = 0; other < number; ++other)
    for (Operation *link : carriedOf(other).links)
      if (carriedOf(other).kind == CarriedValue::Ordered)
        before += link->getNumOperands() - 1;
  for (uint32_t lane = 0; lane < group.getLanes(); ++lane) {
    llvm::DenseMap<Value, Value> moved;
    size_t next = before;
    Value partial = loop.getRegionIterArg(number);
    for (Operation *link : carried.links) {
      Operation *added = inside.clone(*link);
      for (OpOperand &operand : added->getOpOperands()) {
        if (operand.get() == partial) {
          operand.set(sum);
          continue;
        }
        const Term &term = terms[next];
        Value &other = moved[exchanged[next]];
        if (!other)
          other = group.createFrom(inside, location, exchanged[next], lane);
        ++next;
        Value number = other;
        if (term.widening)
          number = inside.create<LLVM::FPExtOp>(location, operand.get().getType(), other);
        operand.set(number);
      }
      added->moveBefore(inside.getInsertionBlock(), inside.getInsertionPoint());
      sum = added->getResult(0);
      partial = link->getResult(0);
    }
  }
  return sum;
}

/// Moves the iterations of a loop whose terms lanes add together. Returns the branch that they are.
scf::IfOp Dealing::moveOrderedBody() {
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  int64_t step = getConstantIntValue(old.getStep()).value();
  Value own = inside.create<arith::MulIOp>(
      location, group.getNumber(), createNumber(inside, location, inside.getI64Type(), step),
      noWrap);
  counter = inside.create<arith::AddIOp>(location, loop.getInductionVar(), own, noWrap);
  Value runs = inside.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, counter,
                                            loop.getUpperBound());
  collectTerms();
  SmallVector<Type> types;
  SmallVector<unsigned> others; // carried values that are no ordered sums
  for (const Term &term : terms)
    types.push_back(term.exchanged.getType());
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (number >= results.size() || carriedOf(number).kind != CarriedValue::Ordered) {
      types.push_back(argument.getType());
      others.push_back(number);
    }
  auto branch = inside.create<scf::IfOp>(location, types, runs, /*addThenBlock=*/true,
                                         /*addElseBlock=*/true);
  OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
  replaceCounter(then, counter);
  Block *from = old.getBody();
  llvm::SmallPtrSet<Operation *, 8> links;
  for (const CarriedValue &carried : dealt.carried.values)
    if (carried.kind == CarriedValue::Ordered)
      links.insert(carried.links.begin(), carried.links.end());
  for (Operation &op : llvm::make_early_inc_range(from->without_terminator()))
    if (!links.contains(&op))
      op.moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  then.setInsertionPointToEnd(branch.thenBlock());
  OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
  SmallVector<Value> ran, skipped;
  for (const Term &term : terms) {
    ran.push_back(term.exchanged);
    skipped.push_back(createFloat(otherwise, location, term.exchanged.getType(), term.neutral));
  }
  for (unsigned number : others) {
    Value before = loop.getRegionIterArg(number);
    bool isPosition = number >= results.size();
    ran.push_back(isPosition
                      ? createPosition(then, dealt.carried.choices[number - results.size()], before)
                      : from->getTerminator()->getOperand(number));
    skipped.push_back(before);
  }
  then.create<scf::YieldOp>(location, ran);
  otherwise.create<scf::YieldOp>(location, skipped);
  SmallVector<Value> next(loop.getNumRegionIterArgs());
  for (auto [index, number] : llvm::enumerate(others))
    next[number] = branch.getResult(terms.size() + index);
  for (unsigned number = 0; number < results.size(); ++number)
    if (carriedOf(number).kind == CarriedValue::Ordered)
      next[number] = addTerms(inside, number, branch.getResults().take_front(terms.size()));
  inside.create<scf::YieldOp>(location, next);
  return branch;
}

/// Creates whether one value is better than another, or equal to it.
Value Dealing::createIsBetter(OpBuilder &behind, const Choice &choice, Value other, Value own,
                              bool equal) {
  Type i1 = behind.getI1Type();
  if (isa<LLVM::FCmpOp>(choice.comparison)) {
    auto predicate = equal              ? LLVM::FCmpPredicate::oeq
                     : choice.isGreater ? LLVM::FCmpPredicate::ogt
                                        : LLVM::FCmpPredicate::olt;
    return behind.create<LLVM::FCmpOp>(location, i1, predicate, other, own,
                                       LLVM::FastmathFlags::none);
  }
  bool isUnsigned = comparesUnsigned(cast<arith::CmpIOp>(choice.comparison).getPredicate());
  auto greater = isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  auto predicate = equal ? arith::CmpIPredicate::eq : choice.isGreater ? greater : less;
  return behind.create<arith::CmpIOp>(location, predicate, other, own);
}

/// Lets all lanes have the best of the lanes' choices: of equals, that of the first iteration, or
/// of the last one.
void Dealing::combineChoice(unsigned index, OpBuilder &behind) {
  const Choice &choice = dealt.carried.choices[index];
  SmallVector<unsigned> members;
  for (auto [number, carried] : llvm::enumerate(dealt.carried.values))
    if (carried.kind == CarriedValue::Chosen && carried.choice == index)
      members.push_back(number);
  Value position = loop.getResult(results.size() + index);
  for (uint32_t distance = 1; distance < group.getLanes(); distance *= 2) {
    Value otherPosition = group.createAcross(behind, location, position, distance);
    SmallVector<Value> others;
    Value other;
    for (unsigned number : members) {
      others.push_back(group.createAcross(behind, location, results[number], distance));
      if (number == choice.leader)
        other = others.back();
    }
    Value best = results[choice.leader];
    Value better = createIsBetter(behind, choice, other, best, /*equal=*/false);
    Value equal = createIsBetter(behind, choice, other, best, /*equal=*/true);
    auto predicate = choice.takesEqual ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt;
    Value nearer = behind.create<arith::CmpIOp>(location, predicate, otherPosition, position);
    Value both = behind.create<arith::AndIOp>(location, equal, nearer);
    Value takes = behind.create<arith::OrIOp>(location, better, both);
    position = behind.create<arith::SelectOp>(location, takes, otherPosition, position);
    for (auto [number, value] : llvm::zip_equal(members, others))
      results[number] = behind.create<arith::SelectOp>(location, takes, value, results[number]);
  }
}

/// Lets all lanes have what they make of their parts of a value.
void Dealing::combine(unsigned number, OpBuilder &behind) {
  const CarriedValue &carried = carriedOf(number);
  Value &result = results[number];
  if (carried.kind != CarriedValue::Combined && carried.kind != CarriedValue::Summed)
    return;
  for (uint32_t distance = 1; distance < group.getLanes(); distance *= 2) {
    Value other = group.createAcross(behind, location, result, distance);
    result = carried.kind == CarriedValue::Combined
                 ? createCombined(behind, carried.links.front(), result, other)
                 : behind.create<LLVM::FAddOp>(location, result, other).getResult();
  }
  // Of two numbers that are none, each lane may have its own.
  if (carried.kind == CarriedValue::Summed)
    result = group.createFrom(behind, location, result, 0);
}

SmallVector<scf::ForOp> Dealing::run() {
  results.resize(old.getNumResults());
  createLoop();
  scf::IfOp branch = isOrdered() ? moveOrderedBody() : scf::IfOp();
  if (!branch)
    moveBody();
  for (const CarriedValue &carried : dealt.carried.values)
    if (carried.kind == CarriedValue::Combined)
      for (Operation *link : carried.links)
        forgetOverflow(link);
  llvm::copy(loop.getResults().take_front(results.size()), results.begin());
  OpBuilder behind = outside;
  behind.setInsertionPointAfter(loop);
  for (unsigned number = 0; number < results.size(); ++number)
    combine(number, behind);
  for (unsigned index = 0; index < dealt.carried.choices.size(); ++index)
    combineChoice(index, behind);
  old.replaceAllUsesWith(results);
  int64_t step = getConstantIntValue(old.getStep()).value(), lanes = group.getLanes();
  old.erase();
  if (!branch)
    return {loop};
  return {createFullRounds(loop, branch, termsAtOnce / lanes, lanes * step, (lanes - 1) * step),
          loop};
}

} // namespace

SmallVector<scf::ForOp> regrain::dealLoop(const DealtLoop &dealt, const LaneGroup &group) {
  return Dealing(dealt, group).run();
}
