//===- DealIterations.cpp - Which thread takes which element --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealIterations/DealIterations.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/Intervals.h"
#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/DealIterations/ElementLoop.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

Refusal refuseDealing(Operation *op, const Twine &reason) {
  return refuse(op, RefusalKind::NothingDealt, reason);
}

/// A value of the body that is the element's number and a sum that is the same for all threads.
struct Element {
  Value value;
  WrappingSum base;
};

/// One loop, whose elements are x * count + trip, or trip * size + x.
class LoopDealing {
public:
  LoopDealing(scf::ForOp loop, Dealing dealing, DealingFacts &facts)
      : loop(loop), dealing(dealing), facts(facts), counter(loop.getInductionVar()),
        threads(loop->getParentOfType<grain::ThreadsOp>()),
        x(facts.sums.symbolOf(threads.getBody().getArgument(0))),
        trip(facts.sums.symbolOf(counter)) {
    std::optional<int32_t> known = threads.getKnownIterations(0);
    size = known ? WrappingSum::of(*known) : WrappingSums::blockSize();
  }

  /// Refuses a loop that must stay as it is.
  std::optional<Refusal> plan();
  void apply();

private:
  std::optional<Refusal> checkForm();
  std::optional<Refusal> checkSurroundings();
  std::optional<Refusal> checkBody();
  std::optional<Refusal> checkOperation(Operation *op);
  bool isBefore(const WrappingSum &sum) const;
  bool differIn(unsigned bits) const;
  bool areOneElementEach(const Access &one, const Access &other) const;
  std::optional<Refusal> checkMemory();
  std::optional<Refusal> checkOutside(const Interval &outside);
  bool isKnown(Value value) const;
  bool addElement(Value value);
  bool isIn(Value value) const { return loop->isAncestor(value.getParentBlock()->getParentOp()); }
  Value createElement(OpBuilder &outside, OpBuilder &inside, const WrappingSum &base, Type type);
  void replaceLoop();

  scf::ForOp loop;
  Dealing dealing;
  DealingFacts &facts;
  Value counter;
  grain::ThreadsOp threads;
  unsigned x, trip; ///< symbols
  WrappingSum size; ///< threads in x
  ElementLoop form;
  SmallVector<Element> elements;
  llvm::DenseSet<Value> known; ///< values of the body that follow from the element
  SmallVector<Access> inside;
};

std::optional<Refusal> LoopDealing::checkForm() {
  if (!loop.getInitArgs().empty())
    return refuseDealing(loop, "the loop carries a value from iteration to iteration");
  if (getConstantIntValue(loop.getStep()) != 1 || counter.getType().isIndex())
    return refuseDealing(loop, "the counter of the loop does not advance by one");
  std::optional<ElementLoop> found = findElementLoop(loop, facts);
  if (!found || (found->chunk && dealing == Dealing::Blocked))
    return refuseDealing(loop, "threads are not known to run equally many iterations of the loop, "
                               "on parts of one range");
  form = *found;
  if (form.end && !getConstantIntValue(form.chunk))
    return refuseDealing(loop, "the end of the range stops threads early, and nothing bounds how "
                               "many iterations they would run without it");
  if (form.chunk) {
    elements.push_back({counter, form.base});
    known.insert(counter);
  }
  return std::nullopt;
}

std::optional<Refusal> LoopDealing::checkSurroundings() {
  for (Operation *op = loop->getParentOp(); op != threads; op = op->getParentOp()) {
    auto condition = dyn_cast<scf::IfOp>(op);
    if (!condition)
      return refuseDealing(loop, "the loop is in another loop or control flow");
    if (!facts.isSame(condition.getCondition()))
      return refuseDealing(loop, "the condition around the loop is not known to be the same for "
                                 "all threads");
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

bool LoopDealing::isKnown(Value value) const {
  if (!isIn(value))
    return facts.isSame(value);
  return known.contains(value) || (isa<BlockArgument>(value) && value != counter);
}

/// Adds a sum of the element's number. Returns false if `value` is none.
bool LoopDealing::addElement(Value value) {
  if (form.chunk || !value.getType().isInteger() || value.getType().getIntOrFloatBitWidth() > 64)
    return false;
  WrappingSum sum = facts.sums.of(value), one = WrappingSum::of(1);
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  bool isCyclic = dealing == Dealing::Blocked;
  if (!sum.factorOf(x).equals(isCyclic ? one : form.count, bits) ||
      !sum.factorOf(trip).equals(isCyclic ? size : one, bits))
    return false;
  WrappingSum base = sum.plus(uint64_t(-1), WrappingSum::ofSymbol(x).times(sum.factorOf(x)))
                         .plus(uint64_t(-1), WrappingSum::ofSymbol(trip).times(sum.factorOf(trip)));
  // The number of the first iteration is 0.
  base = base.plus(1, form.first.times(isCyclic ? size : one));
  if (!facts.isSameBefore(loop, base))
    return false;
  elements.push_back({value, base});
  known.insert(value);
  return true;
}

/// Refuses an operation of the body whose effect does not follow from the element.
std::optional<Refusal> LoopDealing::checkOperation(Operation *op) {
  if (isBarrier(op) || interactionOf(op).isAny())
    return refuseDealing(op, "an operation of the loop concerns other threads");
  if (isa<LLVM::AllocaOp>(op))
    return refuseDealing(op, "the loop uses memory of the thread's own");
  if (std::optional<Access> access = facts.accesses.of(op)) {
    bool mayBeOwn = access->kind == Base::Stack || access->kind == Base::ByValue ||
                    access->kind == Base::Unknown;
    if (access->addressSpace == localSpace || (mayBeOwn && facts.hasOwnMemory))
      return refuseDealing(op, "the loop uses memory of the thread's own");
    inside.push_back(*access);
  }
  if (llvm::all_of(op->getOperands(), [&](Value operand) { return isKnown(operand); })) {
    known.insert(op->result_begin(), op->result_end());
    return std::nullopt;
  }
  bool isPlain =
      op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && !hasEffect(op);
  if (!isPlain)
    return refuseDealing(op, "the loop uses a value that may differ between threads in another way "
                             "than the number of the element");
  if (op->getNumResults() == 1)
    addElement(op->getResult(0));
  return std::nullopt;
}

std::optional<Refusal> LoopDealing::checkBody() {
  std::optional<Refusal> refusal;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    refusal = checkOperation(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!refusal && elements.empty())
    return refuseDealing(loop, "the loop does not run over elements of the threads");
  return refusal;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::optional<Refusal> LoopDealing::checkOutside(const Interval &outside) {
  if (outside.isOpaque)
    return refuseDealing(loop, "an operation before or behind the loop may concern other threads, "
                               "and no barrier lies between them");
  for (const Access &own : inside)
    for (const Access &other : outside.accesses)
      if ((own.writes || other.writes) &&
          facts.accesses.mayAlias(other, own, Who::Same, /*apart=*/loop))
        return refuseDealing(own.op, "the thread may access the memory of the loop outside of it");
  return std::nullopt;
}

/// Returns whether the sum is the same in all iterations of a thread.
bool LoopDealing::isBefore(const WrappingSum &sum) const {
  return llvm::all_of(sum.getTerms(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](unsigned symbol) {
      Value value = facts.sums.valueOf(symbol);
      return !value || !isIn(value);
    });
  });
}

/// Returns whether the numbers of a thread's elements differ in numbers of `bits` bits.
bool LoopDealing::differIn(unsigned bits) const {
  if (dealing == Dealing::Cyclic)
    return counter.getType().getIntOrFloatBitWidth() <= bits;
  // They are as far apart as the block is wide.
  const auto &terms = form.count.getTerms();
  bool isConstant = terms.size() == 1 && terms.begin()->first.empty();
  uint64_t most = llvm::maskTrailingOnes<uint64_t>(bits) / maxLaunchedBlock[0];
  return isConstant && terms.begin()->second <= most;
}

/// Returns whether both access the element of an array whose number is that of the element and a
/// number that is the same in all iterations, so that other iterations access other elements.
bool LoopDealing::areOneElementEach(const Access &one, const Access &other) const {
  DataLayout layout = DataLayout::closest(loop);
  auto find = [&](const Access &access) -> std::optional<AddressSum> {
    auto load = dyn_cast<LLVM::LoadOp>(access.op);
    auto store = dyn_cast<LLVM::StoreOp>(access.op);
    if (!load && !store)
      return std::nullopt;
    return addressSumOf(load ? load.getAddr() : store.getAddr(), layout);
  };
  std::optional<AddressSum> first = find(one), second = find(other);
  if (!first || !second || first->base != second->base || isIn(first->base) ||
      first->constant != second->constant || first->terms.size() != 1 ||
      second->terms.size() != 1 || first->terms[0] != second->terms[0])
    return false;
  auto [index, bytes] = first->terms[0];
  if (Operation *op = index.getDefiningOp(); isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op))
    index = op->getOperand(0);
  unsigned bits = index.getType().getIntOrFloatBitWidth();
  WrappingSum sum = facts.sums.of(index), perTrip = sum.factorOf(trip);
  WrappingSum rest = sum.plus(uint64_t(-1), WrappingSum::ofSymbol(trip).times(perTrip));
  bool isCyclic = dealing == Dealing::Blocked;
  bool isElement = perTrip.equals(isCyclic ? size : WrappingSum::of(1), bits) && isBefore(rest);
  return isElement && one.size && other.size && std::max(*one.size, *other.size) <= bytes &&
         differIn(bits);
}

std::optional<Refusal> LoopDealing::checkMemory() {
  for (const Access &one : inside)
    for (const Access &other : inside) {
      if ((!one.writes && !other.writes) || areOneElementEach(one, other) ||
          !facts.accesses.mayAliasInOtherIteration(one, other, loop))
        continue;
      if (one.base && other.base && one.base != other.base)
        return refuseDealing(one.op,
                             "the loop writes through one pointer and uses another, and what "
                             "they point to may overlap");
      return refuseDealing(one.op, "several iterations of the loop may access the same memory");
    }
  if (auto refusal = checkOutside(intervalBefore(loop, facts.accesses)))
    return refusal;
  return checkOutside(intervalAfter(loop, facts.accesses));
}

std::optional<Refusal> LoopDealing::plan() {
  if (auto refusal = checkForm())
    return refusal;
  if (auto refusal = checkSurroundings())
    return refusal;
  if (auto refusal = checkBody())
    return refusal;
  return checkMemory();
}

//===----------------------------------------------------------------------===//
// The change
//===----------------------------------------------------------------------===//

/// Creates the element's number in the new distribution: what iterations have in common outside of
/// the loop, and the rest inside.
Value LoopDealing::createElement(OpBuilder &outside, OpBuilder &inside, const WrappingSum &base,
                                 Type type) {
  bool isCyclic = dealing == Dealing::Cyclic;
  WrappingSum one = WrappingSum::of(1), perTrip = isCyclic ? size : one;
  WrappingSum common = base.plus(1, WrappingSum::ofSymbol(x).times(isCyclic ? one : form.count))
                           .plus(uint64_t(-1), form.first.times(perTrip));
  Location location = loop.getLoc();
  Value fixed = facts.sums.create(outside, location, common, type);
  Value moved =
      facts.sums.create(inside, location, WrappingSum::ofSymbol(trip).times(perTrip), type);
  return inside.create<arith::AddIOp>(location, fixed, moved);
}

/// Replaces a loop whose counter is the element by one that counts from 0.
void LoopDealing::replaceLoop() {
  OpBuilder outside(loop);
  Location location = loop.getLoc();
  Type type = counter.getType();
  auto number = [&](int64_t value) -> Value {
    return outside.create<arith::ConstantOp>(location, outside.getIntegerAttr(type, value));
  };
  auto counted = outside.create<scf::ForOp>(location, number(0), form.chunk, number(1));
  OpBuilder inside(counted.getBody(), counted.getBody()->begin());
  trip = facts.sums.symbolOf(counted.getInductionVar());
  OpBuilder before(counted);
  Value element = createElement(before, inside, elements.front().base, type);
  counter.replaceAllUsesWith(element);
  for (auto hint : llvm::make_early_inc_range(loop.getBody()->getOps<grain::LoopHintOp>()))
    hint->moveBefore(counted.getBody()->getTerminator());
  Operation *behind = counted.getBody()->getTerminator();
  if (form.end) {
    Value runs =
        inside.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, element, form.end);
    auto condition = inside.create<scf::IfOp>(location, runs, /*withElseRegion=*/false);
    behind = condition.thenBlock()->getTerminator();
  }
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    op.moveBefore(behind);
  loop.erase();
}

void LoopDealing::apply() {
  if (form.chunk)
    return replaceLoop();
  for (Element &element : elements) {
    OpBuilder outside(loop), inside(element.value.getContext());
    inside.setInsertionPointAfterValue(element.value);
    Value dealt = createElement(outside, inside, element.base, element.value.getType());
    element.value.replaceAllUsesWith(dealt);
  }
}

/// The loops of a kernel that are dealt otherwise, or why there are none.
struct DealtLoops {
  DealtLoops(grain::KernelOp kernel, Dealing dealing);

  DealingFacts facts;
  std::vector<LoopDealing> loops;
  std::optional<Refusal> refusal; ///< the first one
};

bool isRegrouped(grain::BlocksOp blocks) {
  grain::ThreadsOp threads = blocks.threads();
  return isCoarse(blocks.getFactors()) || isCoarse(threads.getFactors()) || threads.getFused() ||
         threads.getShape();
}

DealtLoops::DealtLoops(grain::KernelOp kernel, Dealing dealing) : facts(kernel) {
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks) {
    refusal = refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several nests");
    return;
  }
  if (isRegrouped(blocks)) {
    refusal = refuse(kernel, RefusalKind::AlreadyRegrained,
                     "blocks or threads have been regrouped before the iterations");
    return;
  }
  refusal = checkCoarsenable(blocks);
  if (refusal)
    return;
  blocks.threads().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    LoopDealing dealt(loop, dealing, facts);
    if (auto why = dealt.plan())
      refusal = refusal ? refusal : why;
    else
      loops.push_back(std::move(dealt));
  });
  if (loops.empty() && !refusal)
    refusal = refuseDealing(kernel, "the kernel has no loop that counts");
}

} // namespace

bool regrain::canDealIterations(grain::KernelOp kernel, Dealing dealing) {
  return !DealtLoops(kernel, dealing).loops.empty();
}

std::optional<Refusal> regrain::dealIterations(grain::KernelOp kernel, Dealing dealing) {
  DealtLoops dealt(kernel, dealing);
  if (dealt.loops.empty())
    return dealt.refusal;
  for (LoopDealing &loop : dealt.loops)
    loop.apply();
  forgetRestrict(kernel.blocks());
  return std::nullopt;
}
