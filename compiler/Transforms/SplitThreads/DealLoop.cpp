//===- DealLoop.cpp - A loop among lanes ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New loops count in 64 bits, in which the numbers of no lane overflow. Where a lane takes several
// neighbouring iterations at a time, loops in which it takes one run those in front of the first
// multiple of that number, and what is left:
//
//   for (i = first + lane; i < start; i += 32) { A(i) }
//   for (i = start + 4 * lane; i < last; i += 128) { A(i); A(i + 1); A(i + 2); A(i + 3) }
//   for (i = last + lane; i < end; i += 32) { A(i) }
//
// If elements of the first rounds are kept for later loops, and all lanes have these rounds, they
// come first, side by side, and are no loop.
//
// If the loop carries sums in the program's order, all lanes run it equally often, and add in each
// round the terms of all:
//
//   for (r = first; r < end; r += 32) {
//     t = r + lane < end ? term(r + lane) : -0
//     for (l in 0..31) { s += t of lane l }
//   }
//
// As long as all lanes have enough iterations, a loop in front of it runs several rounds at a time,
// without the condition, and adds behind all of them: no load waits for the sums before it. If
// lanes take several iterations at a time, it is followed by one of single rounds.
//
// -0 is the number that changes no sum, not even a zero's sign.
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/DealLoop.h"

#include "compiler/Transforms/LoopHints.h"
#include "compiler/Transforms/SplitThreads/CombineParts.h"
#include "compiler/Transforms/SplitThreads/Combiners.h"
#include "compiler/Transforms/SplitThreads/Iterations.h"
#include "compiler/Transforms/SplitThreads/KeptElements.h"
#include "compiler/Transforms/SplitThreads/OrderedSums.h"
#include "compiler/Transforms/SplitThreads/RunningSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

/// The terms of a sum that lanes add at a time, unless each lane has more already.
constexpr unsigned termsAtOnce = 64;

/// Sums and products of counters do not wrap.
constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

namespace {

class Dealing {
public:
  Dealing(const DealtLoop &dealt, const LaneGroup &group, KeptRows &kept)
      : dealt(dealt), old(dealt.loop), group(group), kept(kept), iterations(dealt),
        sums(dealt, group), outside(old), location(old.getLoc()),
        step(getConstantIntValue(old.getStep()).value()), lanes(group.getLanes()) {}

  SmallVector<Operation *> run();

private:
  Value createNumber(OpBuilder &builder, int64_t value) {
    return builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(value));
  }
  Value add(OpBuilder &builder, Value number, int64_t distance) {
    return distance == 0 ? number
                         : builder.create<arith::AddIOp>(location, number,
                                                         createNumber(builder, distance), noWrap);
  }
  Value createExtreme(arith::CmpIPredicate predicate, Value one, Value other) {
    Value isOne = outside.create<arith::CmpIOp>(location, predicate, one, other);
    return outside.create<arith::SelectOp>(location, isOne, one, other);
  }
  Value widened(Value number) {
    Type i64 = outside.getI64Type();
    return number.getType() == i64
               ? number
               : outside.create<arith::ExtSIOp>(location, i64, number).getResult();
  }
  Value createLeast(ArrayRef<Value> numbers);
  Value createOwn(OpBuilder &builder, Value first, int64_t each);
  Value createStart(unsigned number);
  Value createAligned(Value first);
  scf::ForOp createLoop(Value first, Value end, int64_t stride, ValueRange starts);
  void finish(scf::ForOp loop, ValueRange next);
  void startCarrying();
  void deal(Value first, Value end, unsigned width);
  SmallVector<Value> createRounds(OpBuilder &inside, Value own, unsigned elements);
  SmallVector<Value> createNumbers(OpBuilder &builder, ArrayRef<unsigned> numbers, Value first,
                                   Value own, Value end);
  Value keepRounds(Value first, Value own, Value end);
  Value dealWide(Value first, Value end);
  void dealInOrder(Value first, Value end);
  Value dealFullRounds(Value first, Value end, unsigned rounds);
  bool isOrdered(unsigned number) const {
    return number < dealt.carried.values.size() &&
           dealt.carried.values[number].kind == CarriedValue::Ordered;
  }

  const DealtLoop &dealt;
  scf::ForOp old;
  const LaneGroup &group;
  KeptRows &kept;
  Iterations iterations;
  OrderedSums sums;
  OpBuilder outside;
  Location location;
  int64_t step, lanes;
  /// What the lane has of the carried values behind the loops so far, and of each choice the
  /// iteration from which it is.
  SmallVector<Value> carried;
  SmallVector<Operation *> parts; ///< that run iterations
};

} // namespace

/// Returns what is in memory behind an access.
static Value valueOf(const RowAccess &access) {
  auto store = dyn_cast<LLVM::StoreOp>(access.op);
  return store ? store.getValue() : access.op->getResult(0);
}

/// Creates where the first lane of the group that runs `each` iterations at a time begins, and so
/// on.
Value Dealing::createOwn(OpBuilder &builder, Value first, int64_t each) {
  Value own = builder.create<arith::MulIOp>(location, group.getNumber(),
                                            createNumber(builder, each * step), noWrap);
  return builder.create<arith::AddIOp>(location, first, own, noWrap);
}

/// Creates what a lane's part of a carried value begins with.
Value Dealing::createStart(unsigned number) {
  const CarriedValue &value = dealt.carried.values[number];
  Value start = old.getInitArgs()[number];
  TypedAttr neutral;
  if (value.kind == CarriedValue::Summed || value.kind == CarriedValue::Running)
    neutral = outside.getFloatAttr(start.getType(), -0.0);
  else if (std::optional<int64_t> same =
               value.kind == CarriedValue::Combined ? neutralOf(value.links.front()) : std::nullopt)
    neutral = outside.getIntegerAttr(start.getType(), *same);
  if (!neutral)
    return start;
  Value other = outside.create<arith::ConstantOp>(location, neutral);
  return outside.create<arith::SelectOp>(location, group.isFirst(), start, other);
}

Value Dealing::createLeast(ArrayRef<Value> numbers) {
  Value least = widened(numbers.front());
  for (Value number : numbers.drop_front())
    least = createExtreme(arith::CmpIPredicate::slt, least, widened(number));
  return least;
}

scf::ForOp Dealing::createLoop(Value first, Value end, int64_t stride, ValueRange starts) {
  auto loop =
      outside.create<scf::ForOp>(location, first, end, createNumber(outside, stride), starts);
  if (!loop.getBody()->empty())
    loop.getBody()->clear();
  parts.push_back(loop);
  return loop;
}

/// Ends the loop's body. The loop's results are what is carried on.
void Dealing::finish(scf::ForOp loop, ValueRange next) {
  OpBuilder inside = OpBuilder::atBlockEnd(loop.getBody());
  inside.create<scf::YieldOp>(location, next);
  carried.assign(loop.result_begin(), loop.result_end());
}

/// Creates the first `elements` iterations of a lane that begins with the iteration `own`. Returns
/// what is carried on, what is kept for later loops, and the lane's first iteration that is left.
SmallVector<Value> Dealing::createRounds(OpBuilder &inside, Value own, unsigned elements) {
  unsigned width = dealt.width;
  SmallVector<Value> counters, results(carried);
  for (unsigned number = 0; number < elements; ++number)
    counters.push_back(add(inside, own, (number / width * lanes * width + number % width) * step));
  SmallVector<IRMapping> rounds = iterations.copyRounds(inside, counters, kept, results);
  for (const RowAccess &source : dealt.rows.sources) {
    Value kind = valueOf(source);
    for (IRMapping &mapping : rounds)
      results.push_back(mapping.lookupOrDefault(kind));
    for (unsigned number = elements; number < dealt.rows.elements; ++number)
      results.push_back(inside.create<LLVM::PoisonOp>(location, kind.getType()));
  }
  results.push_back(add(inside, own, elements * lanes * step));
  return results;
}

/// Creates the first rounds of a lane that begins with the iteration `own`, for each of `numbers`.
/// Returns what createRounds returns.
SmallVector<Value> Dealing::createNumbers(OpBuilder &builder, ArrayRef<unsigned> numbers,
                                          Value first, Value own, Value end) {
  if (numbers.empty())
    return createRounds(builder, own, 0);
  unsigned elements = numbers.front();
  Value last = add(builder, first, (elements * lanes - 1) * step);
  Value hasAll = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, last, end);
  SmallVector<Type> types(ValueRange(carried).getTypes());
  for (const RowAccess &source : dealt.rows.sources)
    types.append(dealt.rows.elements, valueOf(source).getType());
  types.push_back(own.getType());
  auto branch = builder.create<scf::IfOp>(location, types, hasAll, /*addThenBlock=*/true,
                                          /*addElseBlock=*/true);
  OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
  OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
  then.create<scf::YieldOp>(location, createRounds(then, own, elements));
  otherwise.create<scf::YieldOp>(location,
                                 createNumbers(otherwise, numbers.drop_front(), first, own, end));
  return branch.getResults();
}

/// Lets a lane that begins with the iteration `own`, and has all of its first rounds, run these
/// side by side, and notes the elements that later loops read again. Returns the lane's first
/// iteration that is left.
Value Dealing::keepRounds(Value first, Value own, Value end) {
  if (!dealt.rows.ends.empty()) // lanes that have all rounds of one loop have those of all
    end = createLeast(dealt.rows.ends);
  for (const RowAccess &source : dealt.rows.sources)
    kept.resize(std::max<size_t>(kept.size(), source.row + 1));
  bool areShort = !group.areApart() && group.getWarps() <= 1;
  SmallVector<unsigned> numbers = numbersToKeep(dealt, areShort);
  SmallVector<Value> all = createNumbers(outside, numbers, first, own, end);
  parts.push_back(all.front().getDefiningOp());
  ArrayRef<Value> results = all;
  carried.assign(results.begin(), results.begin() + carried.size());
  results = results.drop_front(carried.size());
  for (const RowAccess &source : dealt.rows.sources) {
    kept[source.row].assign(results.begin(), results.begin() + dealt.rows.elements);
    results = results.drop_front(dealt.rows.elements);
  }
  return results.front();
}

/// Creates a loop in which each lane runs `width` iterations at a time. There are as many as lanes
/// can run so.
void Dealing::deal(Value first, Value end, unsigned width) {
  Value own = createOwn(outside, first, width);
  if (dealt.rows.elements != 0 && width == dealt.width)
    own = keepRounds(first, own, end);
  scf::ForOp loop = createLoop(own, end, lanes * width * step, carried);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  SmallVector<Value> counters, next(loop.getRegionIterArgs());
  for (unsigned number = 0; number < width; ++number)
    counters.push_back(add(inside, loop.getInductionVar(), number * step));
  iterations.copy(inside, counters, next);
  // What is behind kept elements has registers for one wide iteration at a time.
  if (width < dealt.width || (dealt.rows.elements != 0 && width != 1))
    keepRolled(loop);
  finish(loop, next);
}

/// Creates a loop in which each lane runs an iteration, if there is one for it, and all add.
void Dealing::dealInOrder(Value first, Value end) {
  scf::ForOp loop = createLoop(first, end, lanes * step, carried);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  Value counter = createOwn(inside, loop.getInductionVar(), 1);
  Value runs = inside.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, counter, end);
  SmallVector<Value> next(loop.getRegionIterArgs()), ran, skipped;
  SmallVector<Type> types;
  for (const OrderedSums::Term &term : sums.getTerms())
    types.push_back(term.exchanged.getType());
  for (auto [number, value] : llvm::enumerate(next))
    if (!isOrdered(number))
      types.push_back(value.getType());
  auto branch = inside.create<scf::IfOp>(location, types, runs, /*addThenBlock=*/true,
                                         /*addElseBlock=*/true);
  OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
  OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
  IRMapping mapping = iterations.copy(then, counter, next).front();
  for (const OrderedSums::Term &term : sums.getTerms()) {
    ran.push_back(mapping.lookupOrDefault(term.exchanged));
    skipped.push_back(otherwise.create<arith::ConstantOp>(
        location, otherwise.getFloatAttr(term.exchanged.getType(), term.neutral)));
  }
  size_t result = sums.getTerms().size();
  for (auto [number, before] : llvm::enumerate(loop.getRegionIterArgs()))
    if (!isOrdered(number)) {
      ran.push_back(next[number]);
      skipped.push_back(before);
      next[number] = branch.getResult(result++);
    }
  then.create<scf::YieldOp>(location, ran);
  otherwise.create<scf::YieldOp>(location, skipped);
  sums.add(inside, SmallVector<Value>(branch.getResults().take_front(sums.getTerms().size())),
           /*together=*/1, next);
  finish(loop, next);
}

/// Creates a loop in which all lanes run all iterations of several rounds, and then add. Returns
/// the first iteration that is left. The end does not wrap, because it is not in front of the first
/// iteration, which has no extreme number.
Value Dealing::dealFullRounds(Value first, Value end, unsigned rounds) {
  unsigned width = dealt.width;
  int64_t reach = lanes * width;
  SmallVector<Value> starts(carried);
  starts.push_back(first);
  Value last = add(outside, end, -(rounds * reach - 1) * step);
  scf::ForOp loop = createLoop(first, last, rounds * reach * step, starts);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  Value own = createOwn(inside, loop.getInductionVar(), width);
  SmallVector<Value> counters, next(loop.getRegionIterArgs().drop_back());
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned number = 0; number < width; ++number)
      counters.push_back(add(inside, own, (round * reach + number) * step));
  SmallVector<SmallVector<Value>> exchanged;
  for (IRMapping &mapping : iterations.copy(inside, counters, next)) {
    exchanged.emplace_back();
    for (const OrderedSums::Term &term : sums.getTerms())
      exchanged.back().push_back(mapping.lookupOrDefault(term.exchanged));
  }
  sums.add(inside, exchanged, width, next);
  next.push_back(
      inside.create<arith::AddIOp>(location, loop.getInductionVar(), loop.getStep(), noWrap));
  finish(loop, next);
  return carried.pop_back_val();
}

/// Creates the first number from which lanes can take neighbouring iterations: a multiple of their
/// number, because rows begin at aligned addresses. It may be behind the end.
Value Dealing::createAligned(Value first) {
  int64_t width = dealt.width;
  std::optional<int64_t> known = getConstantIntValue(old.getLowerBound());
  if (known && *known % width == 0)
    return first;
  return outside.create<arith::AndIOp>(location, add(outside, first, width - 1),
                                       createNumber(outside, -width));
}

/// Creates the loop in which each lane runs as many iterations at a time as it can. Returns the
/// first iteration that is left.
Value Dealing::dealWide(Value first, Value end) {
  Value count = outside.create<arith::SubIOp>(location, end, first);
  Value left =
      outside.create<arith::AndIOp>(location, count, createNumber(outside, dealt.width - 1));
  Value last = outside.create<arith::SubIOp>(location, end, left, noWrap);
  deal(first, last, dealt.width);
  return last;
}

/// Notes what a lane begins with. Nothing is said of the overflow of its parts.
void Dealing::startCarrying() {
  for (const CarriedValue &value : dealt.carried.values)
    if (value.kind == CarriedValue::Combined)
      llvm::for_each(value.links, forgetOverflow);
  for (unsigned number = 0; number < old.getNumRegionIterArgs(); ++number)
    carried.push_back(createStart(number));
  // An initial value is before all iterations.
  for (size_t index = 0; index < dealt.carried.choices.size(); ++index)
    carried.push_back(createNumber(outside, std::numeric_limits<int64_t>::min()));
}

SmallVector<Operation *> Dealing::run() {
  bool inOrder = dealt.carried.areOrdered();
  auto dealOneByOne = [&](Value first, Value end) {
    inOrder ? dealInOrder(first, end) : deal(first, end, 1);
  };
  startCarrying();
  Value first = widened(old.getLowerBound()), end = widened(old.getUpperBound());
  if (inOrder || dealt.width != 1)
    end = createExtreme(arith::CmpIPredicate::sgt, first, end);
  Value singles = first; // the end of the iterations in front of those that are taken together
  if (dealt.width != 1)
    if (Value start = createAligned(first); start != first) {
      singles = createExtreme(arith::CmpIPredicate::slt, start, end);
      dealOneByOne(first, singles);
      first = start;
    }
  if (inOrder) {
    unsigned rounds = std::max(int64_t(1), int64_t(termsAtOnce) / (lanes * dealt.width));
    first = dealFullRounds(first, end, rounds);
    if (dealt.width != 1 && rounds != 1)
      first = dealFullRounds(first, end, 1);
  } else if (dealt.width != 1) {
    bool hasSingles = singles != first;
    first = dealWide(first, end);
    if (hasSingles) // which may be all
      first = createExtreme(arith::CmpIPredicate::sgt, first, singles);
  }
  dealOneByOne(first, end);
  combineParts(outside, dealt, group, carried);
  old.replaceAllUsesWith(ArrayRef(carried).take_front(old.getNumResults()));
  old.erase();
  return parts;
}

SmallVector<Operation *> regrain::dealLoop(const DealtLoop &dealt, const LaneGroup &group,
                                           KeptRows &kept) {
  keepFinite(dealt, group);
  return Dealing(dealt, group, kept).run();
}
