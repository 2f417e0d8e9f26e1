//===- DealIterations.cpp - Which thread takes which element --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealIterations/DealIterations.h"

#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/DealIterations/LoopChecks.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

/// A value of the body that is the element's number and a sum that is the same for all threads.
struct Element {
  Value value;
  WrappingSum base;
};

/// One loop, whose elements are x * count + trip, or trip * size + x.
class LoopDealing : LoopChecks {
public:
  LoopDealing(scf::ForOp loop, Dealing dealing, DealingFacts &facts)
      : LoopChecks(loop, facts), dealing(dealing) {}

  /// Refuses a loop that must stay as it is.
  std::optional<Refusal> plan();
  void apply();

private:
  std::optional<Refusal> checkForm();
  bool addElement(Value value) override;
  bool differIn(const WrappingSum &perTrip, unsigned bits) const override;
  Value createElement(OpBuilder &outside, OpBuilder &inside, const WrappingSum &base, Type type);
  void replaceLoop();

  Dealing dealing;
  ElementLoop form;
  SmallVector<Element> elements;
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

bool LoopDealing::differIn(const WrappingSum &perTrip, unsigned bits) const {
  if (!perTrip.equals(dealing == Dealing::Blocked ? size : WrappingSum::of(1), bits))
    return false;
  if (dealing == Dealing::Cyclic)
    return counter.getType().getIntOrFloatBitWidth() <= bits;
  // They are as far apart as the block is wide.
  const auto &terms = form.count.getTerms();
  bool isConstant = terms.size() == 1 && terms.begin()->first.empty();
  uint64_t most = llvm::maskTrailingOnes<uint64_t>(bits) / maxLaunchedBlock[0];
  return isConstant && terms.begin()->second <= most;
}

std::optional<Refusal> LoopDealing::plan() {
  if (auto refusal = checkForm())
    return refusal;
  if (auto refusal = checkSurroundings())
    return refusal;
  if (auto refusal = checkBody())
    return refusal;
  if (elements.empty())
    return refuseDealing(loop, "the loop does not run over elements of the threads");
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
