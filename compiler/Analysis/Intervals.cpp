//===- Intervals.cpp - What threads do between barriers -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Intervals.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace regrain;

bool regrain::endsInterval(Operation *op) {
  if (auto barrier = dyn_cast<grain::BarrierOp>(op))
    return barrier.getLoops().size() == 3;
  if (auto reduce = dyn_cast<grain::BarrierReduceOp>(op))
    return reduce.getLoops().size() == 3;
  return false;
}

bool regrain::isOpaque(Operation *op, const std::optional<Access> &access) {
  return (access && !access->base) || interactionOf(op).isAny();
}

static bool isMeeting(Operation *op) { return isa<NVVM::SyncWarpOp>(op) || onlyExchanges(op); }

bool regrain::staysInBlock(Operation *op, const std::optional<Access> &access) {
  bool isShared = access && access->base &&
                  (access->kind == Base::Shared || access->kind == Base::DynamicShared);
  return isMeeting(op) ||
         (isShared &&
          isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op));
}

static void addAccesses(Operation *root, Accesses &accesses, Interval &interval) {
  root->walk([&](Operation *op) {
    if (isBarrier(op))
      return;
    std::optional<Access> access = accesses.of(op);
    if (isOpaque(op, access)) {
      interval.isOpaque = true;
      interval.isUnknown |= !staysInBlock(op, access);
    }
    if (access && !isMeeting(op))
      interval.accesses.push_back(*access);
  });
}

Interval regrain::accessesIn(Operation *op, Accesses &accesses) {
  Interval interval;
  addAccesses(op, accesses, interval);
  return interval;
}

namespace {

/// Walks through the thread's code, forwards or backwards, up to barriers.
class Walk {
public:
  Walk(grain::ThreadsOp threads, Accesses &accesses, bool isForward)
      : threads(threads), accesses(accesses), barriers(threads), isForward(isForward) {}

  Interval from(Operation *op) {
    goOn(op);
    return std::move(interval);
  }

private:
  /// An edge from one region of an operation to another; null stands for the outside of the
  /// operation.
  using Edge = std::pair<Region *, Region *>;

  SmallVector<Edge> edgesOf(Operation *op);
  void goOn(Operation *op);
  bool pass(Operation *op);
  void enter(Operation *op);
  void enter(Region *region);
  void enter(Block *block);
  void leave(Block *block);
  void leave(Region *region);

  Operation *next(Operation *op) { return isForward ? op->getNextNode() : op->getPrevNode(); }

  grain::ThreadsOp threads;
  Accesses &accesses;
  Barriers barriers;
  bool isForward;
  Interval interval;
  llvm::DenseSet<Operation *> passed; ///< operations after which the walk has continued
  llvm::DenseSet<Operation *> seen;
  llvm::DenseSet<Block *> entered;
};

/// Returns the edges in the direction of the walk.
SmallVector<Walk::Edge> Walk::edgesOf(Operation *op) {
  SmallVector<Edge> edges;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch) {
    interval.isOpaque = interval.isUnknown = true;
    return edges;
  }
  auto add = [&](Region *from, RegionBranchPoint point) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors) {
      Region *to = successor.getSuccessor();
      edges.push_back(isForward ? Edge(from, to) : Edge(to, from));
    }
  };
  add(nullptr, RegionBranchPoint::parent());
  for (Region &region : op->getRegions())
    if (!region.empty())
      add(&region, region);
  return edges;
}

void Walk::goOn(Operation *op) {
  if (!passed.insert(op).second)
    return;
  for (Operation *other = next(op); other; other = next(other))
    if (!pass(other))
      return;
  leave(op->getBlock());
}

bool Walk::pass(Operation *op) {
  if (endsInterval(op))
    return false;
  if (barriers.isIn(op) && op->getNumRegions() != 0) {
    enter(op);
    return false;
  }
  if (seen.insert(op).second)
    addAccesses(op, accesses, interval);
  return true;
}

void Walk::enter(Operation *op) {
  for (auto [from, to] : edgesOf(op)) {
    if (from)
      continue;
    if (to)
      enter(to);
    else
      goOn(op);
  }
}

void Walk::enter(Region *region) {
  if (isForward)
    return enter(&region->front());
  for (Block &block : *region)
    if (block.getTerminator()->getNumSuccessors() == 0)
      enter(&block);
}

void Walk::enter(Block *block) {
  if (!entered.insert(block).second)
    return;
  for (Operation *op = isForward ? &block->front() : &block->back(); op; op = next(op))
    if (!pass(op))
      return;
  leave(block);
}

void Walk::leave(Block *block) {
  if (isForward) {
    for (Block *successor : block->getSuccessors())
      enter(successor);
    if (block->getTerminator()->getNumSuccessors() == 0)
      leave(block->getParent());
    return;
  }
  for (Block *predecessor : block->getPredecessors())
    enter(predecessor);
  if (block->isEntryBlock())
    leave(block->getParent());
}

void Walk::leave(Region *region) {
  Operation *op = region->getParentOp();
  if (op == threads)
    return;
  for (auto [from, to] : edgesOf(op)) {
    if (from != region)
      continue;
    if (to)
      enter(to);
    else
      goOn(op);
  }
}

Interval intervalFrom(Operation *op, Accesses &accesses, bool isForward) {
  auto threads = op->getParentOfType<grain::ThreadsOp>();
  if (threads)
    return Walk(threads, accesses, isForward).from(op);
  Interval unknown;
  unknown.isOpaque = unknown.isUnknown = true;
  return unknown;
}

} // namespace

Interval regrain::intervalBefore(Operation *op, Accesses &accesses) {
  return intervalFrom(op, accesses, /*isForward=*/false);
}

Interval regrain::intervalAfter(Operation *op, Accesses &accesses) {
  return intervalFrom(op, accesses, /*isForward=*/true);
}
