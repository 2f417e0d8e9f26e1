//===- PromoteInLoops.cpp - Memory in registers while a loop runs ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/PromoteInLoops/PromoteInLoops.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Intervals.h"
#include "compiler/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace regrain;

/// The number of promoted addresses: each takes a register through the whole loop.
constexpr unsigned maxPromoted = 16;

namespace {

/// The accesses of a loop to one address, in the order of the code.
using Group = SmallVector<Access>;

class LoopPromotion {
public:
  LoopPromotion(LoopLikeOpInterface loop, Accesses &accesses)
      : loop(loop), counted(dyn_cast<scf::ForOp>(loop.getOperation())), accesses(accesses),
        barriers(loop) {}

  /// Finds what to promote; the kernel may not change between this call and promote().
  bool findGroups();
  void promote();
  unsigned count() const { return groups.size(); }

private:
  bool collect();
  Block *bodyThatRuns();
  bool isPromotable(const Group &group);
  bool mayCrossBarriers(const Group &group);
  bool runsAlways();
  Value loadBefore(OpBuilder &builder, const Group &group);
  void storeBehind(OpBuilder &builder, const Group &group, Value value);
  LogicalResult carry(ArrayRef<Group> written, ValueRange inits, IRRewriter &builder);

  LoopLikeOpInterface loop;
  scf::ForOp counted; ///< the loop, unless it is an scf.while
  Accesses &accesses;
  Barriers barriers; ///< barriers in the loop
  SmallVector<Access> all;
  std::optional<Interval> before, after; ///< the phases around the loop, if it contains a barrier
  SmallVector<Group> groups;
};

Type typeOf(const Access &access) {
  if (auto store = dyn_cast<LLVM::StoreOp>(access.op))
    return store.getValue().getType();
  return access.op->getResult(0).getType();
}

Value addressOf(const Access &access) {
  if (auto store = dyn_cast<LLVM::StoreOp>(access.op))
    return store.getAddr();
  return cast<LLVM::LoadOp>(access.op).getAddr();
}

bool isWritten(const Group &group) {
  return llvm::any_of(group, [](const Access &access) { return access.writes; });
}

/// Collects all accesses in the loop; returns false if an access or another operation forbids
/// moving any.
bool LoopPromotion::collect() {
  Interval inside = accessesIn(loop, accesses);
  all = std::move(inside.accesses);
  return !inside.isOpaque;
}

/// Returns the code that runs in every iteration of the loop.
Block *LoopPromotion::bodyThatRuns() {
  return counted ? counted.getBody() : cast<scf::WhileOp>(loop.getOperation()).getBeforeBody();
}

bool LoopPromotion::isPromotable(const Group &group) {
  const Access &first = group.front();
  bool writes = isWritten(group);
  if (writes && !counted)
    return false;
  for (const Access &access : group)
    if (typeOf(access) != typeOf(first))
      return false;
  bool isApart = llvm::all_of(all, [&](const Access &other) {
    bool isOwn = llvm::any_of(group, [&](const Access &own) { return own.op == other.op; });
    return isOwn || (!writes && !other.writes) || !accesses.mayAlias(first, other, Who::Same, loop);
  });
  return isApart && (!barriers.isIn(loop) || mayCrossBarriers(group));
}

/// Returns whether other threads leave the memory alone in the loop and, if accesses move over a
/// barrier, in the barrier phases that these move into.
bool LoopPromotion::mayCrossBarriers(const Group &group) {
  const Access &first = group.front();
  bool writes = isWritten(group);
  auto isLeftAlone = [&](ArrayRef<Access> others, bool reads, Who who) {
    return llvm::none_of(others, [&](const Access &other) {
      return (other.writes || (writes && reads)) && accesses.mayAlias(first, other, who);
    });
  };
  // Threads that do exactly the same touch the memory in the loop when this one does.
  if (!isLeftAlone(all, /*reads=*/true, Who::OtherThread))
    return false;
  if (!before) {
    before = intervalBefore(loop, accesses);
    after = intervalAfter(loop, accesses);
  }
  bool isBehindBarrier = std::any_of(first.op->getBlock()->begin(), first.op->getIterator(),
                                     [&](Operation &op) { return barriers.isIn(&op); });
  if (isBehindBarrier &&
      (before->isOpaque || !isLeftAlone(before->accesses, /*reads=*/false, Who::AnyThread)))
    return false;
  return !writes ||
         (!after->isOpaque && isLeftAlone(after->accesses, /*reads=*/true, Who::AnyThread));
}

bool LoopPromotion::findGroups() {
  if (!collect())
    return false;
  for (const Access &access : all) {
    if (access.op->getBlock() != bodyThatRuns() ||
        !loop.isDefinedOutsideOfLoop(addressOf(access)) || !accesses.isInvariantIn(access, loop))
      continue;
    auto *group = llvm::find_if(groups, [&](const Group &candidate) {
      return accesses.mustAlias(candidate.front(), access);
    });
    if (group == groups.end())
      groups.push_back({access});
    else
      group->push_back(access);
  }
  llvm::erase_if(groups, [&](const Group &group) { return !isPromotable(group); });
  if (groups.size() > maxPromoted)
    groups.truncate(maxPromoted);
  return !groups.empty();
}

bool LoopPromotion::runsAlways() {
  APInt lower, upper;
  return !counted ||
         (matchPattern(counted.getLowerBound(), m_ConstantInt(&lower)) &&
          matchPattern(counted.getUpperBound(), m_ConstantInt(&upper)) && lower.slt(upper));
}

Value createRuns(OpBuilder &builder, scf::ForOp loop) {
  return builder.create<arith::CmpIOp>(loop.getLoc(), arith::CmpIPredicate::slt,
                                       loop.getLowerBound(), loop.getUpperBound());
}

/// Loads what the first iteration finds in memory, if it reads it.
Value LoopPromotion::loadBefore(OpBuilder &builder, const Group &group) {
  Location location = loop.getLoc();
  Operation *first = group.front().op;
  if (!isa<LLVM::LoadOp>(first))
    return builder.create<LLVM::PoisonOp>(location, typeOf(group.front()));
  if (runsAlways())
    return builder.clone(*first)->getResult(0);
  auto guard = builder.create<scf::IfOp>(location, first->getResultTypes(),
                                         createRuns(builder, counted), /*addThenBlock=*/true,
                                         /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(guard.thenBlock());
  builder.create<scf::YieldOp>(location, builder.clone(*first)->getResults());
  builder.setInsertionPointToStart(guard.elseBlock());
  Value none = builder.create<LLVM::PoisonOp>(location, first->getResult(0).getType());
  builder.create<scf::YieldOp>(location, none);
  return guard.getResult(0);
}

void LoopPromotion::storeBehind(OpBuilder &builder, const Group &group, Value value) {
  const Access *last = nullptr;
  for (const Access &access : group)
    if (access.writes)
      last = &access;
  OpBuilder::InsertionGuard insertion(builder);
  if (!runsAlways()) {
    auto guard = builder.create<scf::IfOp>(loop.getLoc(), createRuns(builder, counted),
                                           /*withElseRegion=*/false);
    builder.setInsertionPointToStart(guard.thenBlock());
  }
  IRMapping mapping;
  mapping.map(cast<LLVM::StoreOp>(last->op).getValue(), value);
  builder.clone(*last->op, mapping);
}

void LoopPromotion::promote() {
  IRRewriter builder(loop);
  SmallVector<Group> written;
  SmallVector<Value> inits;
  for (const Group &group : groups) {
    Value init = loadBefore(builder, group);
    if (isWritten(group)) {
      written.push_back(group);
      inits.push_back(init);
      continue;
    }
    for (const Access &access : group)
      builder.replaceAllUsesWith(access.op->getResult(0), init);
  }
  if (!written.empty() && failed(carry(written, inits, builder)))
    return;
  for (const Group &group : groups)
    for (const Access &access : group)
      builder.eraseOp(access.op);
}

LogicalResult LoopPromotion::carry(ArrayRef<Group> written, ValueRange inits, IRRewriter &builder) {
  // Replacement follows the order of the code: the operand of a store has been replaced by then.
  auto replaceInOrder = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    SmallVector<Value> current(carried.begin(), carried.end());
    for (const Access &access : all)
      for (auto [group, value] : llvm::zip_equal(written, current)) {
        if (llvm::none_of(group, [&](const Access &own) { return own.op == access.op; }))
          continue;
        if (auto store = dyn_cast<LLVM::StoreOp>(access.op))
          value = store.getValue();
        else
          access.op->getResult(0).replaceAllUsesWith(value);
      }
    return current;
  };
  unsigned before = counted.getNumResults();
  FailureOr<LoopLikeOpInterface> carrying = counted.replaceWithAdditionalYields(
      builder, inits, /*replaceInitOperandUsesInLoop=*/false, replaceInOrder);
  if (failed(carrying))
    return failure();
  loop = *carrying;
  counted = cast<scf::ForOp>(loop.getOperation());
  builder.setInsertionPointAfter(loop);
  for (auto [group, value] : llvm::zip_equal(written, counted.getResults().drop_front(before)))
    storeBehind(builder, group, value);
  return success();
}

/// Hoists invariant code so that addresses stand in front of the loop. The loop may not run at all,
/// hence only operations that may run anywhere are moved.
size_t hoistInvariantCode(LoopLikeOpInterface loop) {
  return moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) { return mayRunAnywhere(op); },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

} // namespace

unsigned regrain::promoteInLoops(grain::KernelOp kernel) {
  unsigned promoted = 0;
  SmallVector<LoopLikeOpInterface> loops;
  kernel.walk([&](LoopLikeOpInterface loop) {
    if (isa<scf::ForOp, scf::WhileOp>(loop))
      loops.push_back(loop);
  });
  std::optional<Accesses> accesses;
  for (LoopLikeOpInterface loop : loops) {
    // Moving an operation does not change what is known of its value.
    hoistInvariantCode(loop);
    if (!accesses)
      accesses.emplace(kernel);
    LoopPromotion promotion(loop, *accesses);
    if (!promotion.findGroups())
      continue;
    promotion.promote();
    promoted += promotion.count();
    accesses.reset();
  }
  return promoted;
}
