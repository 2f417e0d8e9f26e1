//===- RemoveBarriers.cpp - Barriers that order nothing -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/RemoveBarriers/RemoveBarriers.h"

#include "compiler/Analysis/Intervals.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace regrain;

/// The number of pairs of accesses compared in a kernel; barriers are kept beyond it.
constexpr size_t maxPairs = 16384;

namespace {

/// What a barrier orders.
struct Order {
  bool isNeeded = false;
  llvm::SetVector<Operation *> loads; ///< the loads before the barrier without which it would not
                                      ///< be needed
};

class BarrierRemoval {
public:
  explicit BarrierRemoval(grain::KernelOp kernel) : accesses(kernel) {}

  bool remove(grain::BarrierOp barrier);

private:
  Order orderOf(grain::BarrierOp barrier);
  bool conflict(const Access &first, const Access &second, const Interval &before);
  bool collectMoves(Operation *op, Operation *previous, llvm::SetVector<Operation *> &moves);
  bool mayMove(Operation *load, Operation *previous, const Interval &before);

  Accesses accesses;
  size_t pairsLeft = maxPairs;
};

/// Returns the closest barrier before `barrier` in its block, or null if an operation in between
/// contains a barrier.
Operation *previousInBlock(grain::BarrierOp barrier) {
  for (Operation *op = barrier->getPrevNode(); op; op = op->getPrevNode()) {
    if (endsInterval(op))
      return op;
    if (op->walk([](Operation *inner) {
            return endsInterval(inner) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      return nullptr;
  }
  return nullptr;
}

Order BarrierRemoval::orderOf(grain::BarrierOp barrier) {
  Order order;
  Interval before = intervalBefore(barrier, accesses);
  Interval after = intervalAfter(barrier, accesses);
  size_t pairs = before.accesses.size() * after.accesses.size();
  if (before.isOpaque || after.isOpaque || pairs > pairsLeft) {
    order.isNeeded = true;
    return order;
  }
  pairsLeft -= pairs;
  for (const Access &second : after.accesses)
    for (const Access &first : before.accesses) {
      if ((!first.writes && !second.writes) || !conflict(first, second, before))
        continue;
      if (!isa<LLVM::LoadOp>(first.op) || first.op->getBlock() != barrier->getBlock()) {
        order.isNeeded = true;
        return order;
      }
      order.loads.insert(first.op);
    }
  return order;
}

/// Returns whether a barrier lies between any two runs of `op`.
bool runsOnceInInterval(Operation *op) {
  for (; !isa<grain::ThreadsOp>(op->getParentOp()); op = op->getParentOp()) {
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op->getParentOp()))
      continue;
    return llvm::any_of(*op->getBlock(), [](Operation &other) { return endsInterval(&other); });
  }
  return true;
}

/// Returns whether it matters that `first`, in the phase `before` the barrier, precedes another
/// thread's `second`. Threads that do exactly the same may touch the same memory: that is harmless
/// if all write one value, once, and then read it.
bool BarrierRemoval::conflict(const Access &first, const Access &second, const Interval &before) {
  if (!accesses.mayAlias(first, second, Who::AnyThread))
    return false;
  if (second.writes || accesses.mayAlias(first, second, Who::OtherThread) ||
      !runsOnceInInterval(first.op))
    return true;
  return llvm::any_of(before.accesses, [&](const Access &other) {
    return other.writes && other.op != first.op && accesses.mayAlias(other, second, Who::AnyThread);
  });
}

/// Adds `op` and the operations behind `previous` that compute its operands, in order.
bool BarrierRemoval::collectMoves(Operation *op, Operation *previous,
                                  llvm::SetVector<Operation *> &moves) {
  if (op->getNumRegions() != 0 || !(isPure(op) || isa<LLVM::LoadOp>(op)))
    return false;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (!definition || definition->getBlock() != previous->getBlock() ||
        definition->isBeforeInBlock(previous))
      continue;
    if (definition == previous || !collectMoves(definition, previous, moves))
      return false;
  }
  moves.insert(op);
  return true;
}

/// Returns whether `load` may run before `previous`, the barrier at which the phase `before` ends.
bool BarrierRemoval::mayMove(Operation *load, Operation *previous, const Interval &before) {
  std::optional<Access> access = accesses.of(load);
  if (!access || isOpaque(load, access))
    return false;
  for (Operation *op = previous->getNextNode(); op != load; op = op->getNextNode())
    for (const Access &other : accessesIn(op, accesses).accesses)
      if (other.writes && accesses.mayAlias(*access, other))
        return false;
  return llvm::none_of(before.accesses, [&](const Access &other) {
    return other.writes && accesses.mayAlias(*access, other, Who::AnyThread);
  });
}

bool BarrierRemoval::remove(grain::BarrierOp barrier) {
  Order order = orderOf(barrier);
  if (order.isNeeded)
    return false;
  if (!order.loads.empty()) {
    Operation *previous = previousInBlock(barrier);
    if (!previous)
      return false;
    Interval before = intervalBefore(previous, accesses);
    llvm::SetVector<Operation *> moves;
    for (Operation *load : order.loads)
      if (!collectMoves(load, previous, moves))
        return false;
    for (Operation *op : moves)
      if (isa<LLVM::LoadOp>(op) && (before.isOpaque || !mayMove(op, previous, before)))
        return false;
    for (Operation *op : moves)
      op->moveBefore(previous);
  }
  barrier.erase();
  return true;
}

} // namespace

unsigned regrain::removeBarriers(grain::KernelOp kernel) {
  SmallVector<grain::BarrierOp> barriers;
  kernel.walk([&](grain::BarrierOp barrier) {
    if (endsInterval(barrier))
      barriers.push_back(barrier);
  });
  if (barriers.empty() || ThreadSummary(kernel).findWait())
    return 0;
  // Neither moving a load nor removing a barrier changes a value or a condition.
  BarrierRemoval removal(kernel);
  return llvm::count_if(barriers,
                        [&](grain::BarrierOp barrier) { return removal.remove(barrier); });
}
