//===- Waiting.cpp - Loops that wait for another thread -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Waiting.h"

#include "compiler/Analysis/ConstantMemory.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/MemoryUse.h"
#include "compiler/Analysis/Retry.h"
#include "compiler/Analysis/Tickets.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

static bool isAccess(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op);
}

/// Returns whether `op` may read from anywhere, as plain loads do.
static bool readsAnywhere(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || touchesNoMemory(call))
    return false;
  return kindOf(call) == CalleeKind::Copy || kindOf(call) == CalleeKind::PlainFunction;
}

namespace {

/// Examines what a loop does between two reads of the memory that it waits on.
class Waiting {
public:
  Waiting(Operation *loop, Accesses &accesses, Awaited awaited)
      : accesses(accesses), awaited(awaited) {
    loop->walk([&](Operation *op) {
      bool publishes = interactionOf(op).publishes;
      isFenced |= publishes && !isAccess(op);
      if (publishes && isAccess(op))
        polled.push_back(*accesses.of(op));
    });
  }

  bool mayWait(scf::WhileOp loop);
  bool mayWait(scf::ExecuteRegionOp region);

private:
  bool seesOthers(Operation *op);
  bool seesOthers(LLVM::LoadOp load);
  bool seesAwaited(Operation *op);

  Accesses &accesses;
  Awaited awaited;
  bool isFenced = false; ///< a fence makes each iteration read memory anew
  SmallVector<Access> polled;
  ConstantMemory constantMemory;
};

bool Waiting::seesOthers(LLVM::LoadOp load) {
  if (interactionOf(load).seesOthers)
    return true;
  std::optional<Access> access = accesses.of(load);
  bool isPolled = llvm::any_of(
      polled, [&](const Access &other) { return other.base && other.base == access->base; });
  return (isFenced || isPolled) && access->kind != Base::Stack && !constantMemory.isReadBy(load);
}

/// Returns whether `op` sees what other threads do without a barrier in between.
bool Waiting::seesOthers(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return seesOthers(load);
  return interactionOf(op).seesOthers || (readsAnywhere(op) && (isFenced || !polled.empty()));
}

static bool isShared(const Access &access) {
  return access.kind == Base::Shared || access.kind == Base::DynamicShared ||
         access.addressSpace == sharedSpace;
}

/// Returns whether `op` sees what those do for whom the loop may wait.
bool Waiting::seesAwaited(Operation *op) {
  if (!seesOthers(op))
    return false;
  bool isOfShared = isAccess(op) ? isShared(*accesses.of(op)) : isSharedAssembly(op);
  return awaited == Awaited::AnyThread || !isOfShared;
}

bool Waiting::mayWait(scf::WhileOp loop) {
  if (isRetryLoop(loop, accesses))
    return false;
  LoopSlice end(loop, loop.getConditionOp().getCondition(), accesses);
  auto waitsAt = [&](Operation *op) {
    auto update = dyn_cast<LLVM::AtomicRMWOp>(op);
    return seesAwaited(op) && !(update && isTicket(update, end, accesses));
  };
  return llvm::any_of(end.writers(), waitsAt) || llvm::any_of(end.values(), [&](Value value) {
           return value.getDefiningOp() && waitsAt(value.getDefiningOp());
         });
}

/// Returns whether control can return to a block that it has left.
bool hasCycle(Region &region) {
  llvm::DenseMap<Block *, unsigned> entering;
  SmallVector<Block *> ready;
  size_t taken = 0;
  for (Block &block : region) {
    entering[&block] = std::distance(block.pred_begin(), block.pred_end());
    if (entering[&block] == 0)
      ready.push_back(&block);
  }
  for (; !ready.empty(); ++taken)
    for (Block *successor : ready.pop_back_val()->getSuccessors())
      if (--entering[successor] == 0)
        ready.push_back(successor);
  return taken != entering.size();
}

/// Unstructured control flow is not analysed: if it has a cycle, any operation in it that sees
/// other threads may end it.
bool Waiting::mayWait(scf::ExecuteRegionOp region) {
  return hasCycle(region.getRegion()) && region
                                             .walk([&](Operation *op) {
                                               return seesAwaited(op) ? WalkResult::interrupt()
                                                                      : WalkResult::advance();
                                             })
                                             .wasInterrupted();
}

} // namespace

Operation *regrain::findWait(Operation *root, Accesses &accesses, Awaited awaited) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::WhileOp>(op);
    auto region = dyn_cast<scf::ExecuteRegionOp>(op);
    if (!(loop && Waiting(loop, accesses, awaited).mayWait(loop)) &&
        !(region && Waiting(region, accesses, awaited).mayWait(region)))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
