//===- ForwardMemory.cpp - Values that memory is known to hold ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Intervals.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

/// The number of values known at one point.
constexpr size_t maxKnown = 64;
/// The number of operations examined behind a store.
constexpr unsigned maxDistance = 64;
/// The number of pairs of accesses compared in a kernel; nothing is forwarded beyond it.
constexpr size_t maxPairs = 131072;

namespace {

/// What memory is known to hold at the current point.
struct Known {
  Access access;
  Value value;
  std::optional<bool> isOwn = std::nullopt; ///< no other thread of the block ever writes there
};
using State = SmallVector<Known>;

class Forwarding {
public:
  Forwarding(grain::KernelOp kernel, size_t mostKnown,
             llvm::function_ref<bool(LLVM::LoadOp)> isWanted)
      : kernel(kernel), accesses(kernel), barriers(kernel), mostKnown(mostKnown),
        isWanted(isWanted) {}

  void forwardLoads(grain::ThreadsOp threads, ForwardedLoads &loads);

private:
  void visit(Block &block, State &state);
  void visit(Operation *op, State &state);
  void visitRegions(Operation *op, State &state);
  void load(const Access &access, State &state);
  void forget(State &state, ArrayRef<Access> writers, Who who);
  void forgetOthers(State &state);
  void passMeeting(const std::optional<Access> &access, State &state);
  void forgetOpaque(State &state, const Interval &interval);
  bool isOwn(Known &known);

  grain::KernelOp kernel;
  Accesses accesses;
  Barriers barriers;
  size_t mostKnown;
  llvm::function_ref<bool(LLVM::LoadOp)> isWanted;
  size_t pairsLeft = maxPairs;
  SmallVector<Operation *> gone; ///< erased at the end, because the analyses refer to values
  llvm::SetVector<Value> forwarded;
  std::optional<Interval> all; ///< what the kernel does
};

void Forwarding::forget(State &state, ArrayRef<Access> writers, Who who) {
  size_t pairs = state.size() * writers.size();
  if (pairs > pairsLeft)
    return state.clear();
  pairsLeft -= pairs;
  llvm::erase_if(state, [&](const Known &known) {
    return llvm::any_of(writers, [&](const Access &writer) {
      return writer.writes && accesses.mayAlias(known.access, writer, who);
    });
  });
}

/// Returns whether no other thread of the block writes there, whatever the order is, and nothing in
/// the kernel may show what other blocks have written.
bool Forwarding::isOwn(Known &known) {
  if (known.isOwn)
    return *known.isOwn;
  if (!all)
    all = accessesIn(kernel, accesses);
  if (all->isUnknown || all->accesses.size() > pairsLeft)
    return false;
  pairsLeft -= all->accesses.size();
  known.isOwn = llvm::none_of(all->accesses, [&](const Access &writer) {
    return writer.writes && accesses.mayAlias(known.access, writer, Who::OtherThread);
  });
  return *known.isOwn;
}

void Forwarding::forgetOthers(State &state) {
  llvm::erase_if(state, [&](Known &known) { return !isOwn(known); });
}

void Forwarding::passMeeting(const std::optional<Access> &access, State &state) {
  forgetOthers(state);
  if (access && access->base)
    forget(state, *access, Who::Same);
}

void Forwarding::forgetOpaque(State &state, const Interval &interval) {
  if (interval.isUnknown)
    state.clear();
  else if (interval.isOpaque)
    forgetOthers(state);
}

void Forwarding::load(const Access &access, State &state) {
  Value result = access.op->getResult(0);
  bool isFree = isWanted(cast<LLVM::LoadOp>(access.op));
  const auto *known = llvm::find_if(state, [&](const Known &candidate) {
    return isFree && candidate.value.getType() == result.getType() &&
           accesses.mustAliasBehind(candidate.access, access);
  });
  if (known == state.end()) {
    state.push_back({access, result});
    return;
  }
  result.replaceAllUsesWith(known->value);
  forwarded.insert(known->value);
  gone.push_back(access.op);
}

void Forwarding::visit(Operation *op, State &state) {
  if (isBarrier(op)) {
    Interval interval = intervalBefore(op, accesses);
    forgetOpaque(state, interval);
    return forget(state, interval.accesses, Who::OtherThread);
  }
  if (op->getNumRegions() != 0)
    return visitRegions(op, state);
  std::optional<Access> access = accesses.of(op);
  if (isOpaque(op, access))
    return staysInBlock(op, access) ? passMeeting(access, state) : state.clear();
  if (!access)
    return;
  if (isa<LLVM::LoadOp>(op)) {
    load(*access, state);
  } else {
    forget(state, *access, Who::Same);
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      state.push_back({*access, store.getValue()});
  }
  if (state.size() > mostKnown)
    state.erase(state.begin());
}

/// What is known before a loop is known in it and behind it if no iteration writes there; what is
/// known before a condition is known in both branches.
void Forwarding::visitRegions(Operation *op, State &state) {
  Interval inside = accessesIn(op, accesses);
  auto forgetInside = [&](State &known) {
    forgetOpaque(known, inside);
    forget(known, inside.accesses, Who::Same);
    if (known.empty() || !barriers.isIn(op))
      return;
    forget(known, inside.accesses, Who::OtherThread);
    Interval before = intervalBefore(op, accesses);
    forgetOpaque(known, before);
    forget(known, before.accesses, Who::OtherThread);
  };
  bool isCondition = isa<scf::IfOp, scf::IndexSwitchOp>(op);
  if (!isCondition)
    forgetInside(state);
  if (isCondition || isa<scf::ForOp, scf::WhileOp>(op))
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        State inner = state;
        visit(block, inner);
      }
  if (isCondition)
    forgetInside(state);
}

void Forwarding::visit(Block &block, State &state) {
  for (Operation &op : block)
    visit(&op, state);
}

void Forwarding::forwardLoads(grain::ThreadsOp threads, ForwardedLoads &loads) {
  State state;
  visit(threads.getBody().front(), state);
  for (Operation *op : gone)
    op->erase();
  loads.count += gone.size();
  loads.values.insert(forwarded.begin(), forwarded.end());
}

/// Finds stores that nobody sees. Its analyses stay valid while only such stores are erased.
class DeadStores {
public:
  explicit DeadStores(grain::KernelOp kernel) : accesses(kernel), barriers(kernel) {}

  bool isDead(LLVM::StoreOp store);

private:
  bool isSeenBy(const Access &stored, const Interval &readers, Who who);

  Accesses accesses;
  Barriers barriers;
};

bool DeadStores::isSeenBy(const Access &stored, const Interval &readers, Who who) {
  return readers.isOpaque || llvm::any_of(readers.accesses, [&](const Access &reader) {
           return reader.reads && accesses.mayAlias(stored, reader, who);
         });
}

bool DeadStores::isDead(LLVM::StoreOp store) {
  std::optional<Access> stored = accesses.of(store);
  if (isOpaque(store, stored))
    return false;
  unsigned distance = 0;
  for (Operation *op = store->getNextNode(); op; op = op->getNextNode()) {
    if (++distance > maxDistance)
      return false;
    if (endsInterval(op)) {
      if (isSeenBy(*stored, intervalAfter(op, accesses), Who::OtherThread))
        return false;
      continue;
    }
    if (barriers.isIn(op))
      return false;
    std::optional<Access> access = accesses.of(op);
    if (isa<LLVM::StoreOp>(op) && !isOpaque(op, access) &&
        accesses.mustAliasBehind(*stored, *access))
      return true;
    if (isSeenBy(*stored, accessesIn(op, accesses), Who::Same))
      return false;
  }
  return isa<grain::ThreadsOp>(store->getParentOp()) &&
         (stored->kind == Base::Shared || stored->kind == Base::DynamicShared);
}

} // namespace

ForwardedLoads regrain::forwardLoads(grain::KernelOp kernel, size_t mostKnown,
                                     llvm::function_ref<bool(LLVM::LoadOp)> isWanted) {
  ForwardedLoads loads;
  kernel.walk([&](grain::ThreadsOp threads) {
    Forwarding(kernel, mostKnown, isWanted).forwardLoads(threads, loads);
    return WalkResult::skip();
  });
  return loads;
}

unsigned regrain::forwardMemory(grain::KernelOp kernel) {
  SmallVector<LLVM::StoreOp> stores;
  kernel.walk([&](LLVM::StoreOp store) { stores.push_back(store); });
  unsigned count = forwardLoads(kernel, maxKnown, [](LLVM::LoadOp) { return true; }).count;
  DeadStores dead(kernel);
  for (LLVM::StoreOp store : stores)
    if (dead.isDead(store)) {
      store.erase();
      ++count;
    }
  return count;
}
