//===- WarpMeetings.cpp - Warp operations at several places ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/WarpMeetings.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/Uniformity.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

/// The control that decides whether a lane reaches a place, from the outside in, as operations and
/// the numbers of their regions. Only control is listed in which lanes of a warp may diverge.
using Way = SmallVector<std::pair<Operation *, unsigned>>;

struct Site {
  Operation *op;
  /// lanes meet only at operations of the same kind; without a kind, at any
  std::optional<CalleeKind> kind;
  Way way;
};

/// Returns the kind of operation that the hardware runs, whatever the types of the operands, or
/// nothing if the operation is not known to be one of CUDA's.
std::optional<CalleeKind> kindOfMeeting(Operation *op) {
  if (isa<NVVM::ShflOp>(op))
    return CalleeKind::Exchange;
  if (isa<NVVM::VoteBallotOp>(op))
    return CalleeKind::Vote;
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call)
    return isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect())
               ? std::optional(CalleeKind::Instruction)
               : std::nullopt;
  switch (kindOf(call)) {
  case CalleeKind::Exchange:
  case CalleeKind::Matrix:
    return kindOf(call);
  case CalleeKind::Vote:
  case CalleeKind::Match:
    return CalleeKind::Vote;
  default:
    return std::nullopt;
  }
}

bool namesAll(Value lanes) {
  APInt number;
  return matchPattern(lanes, m_ConstantInt(&number)) && number.isAllOnes();
}

/// Returns whether the operation waits for all lanes of the warp.
bool takesWholeWarp(Operation *op) {
  if (auto shuffle = dyn_cast<NVVM::ShflOp>(op))
    return namesAll(shuffle.getThreadMask());
  if (auto sync = dyn_cast<NVVM::SyncWarpOp>(op))
    return namesAll(sync.getMask());
  if (auto vote = dyn_cast<NVVM::VoteBallotOp>(op))
    return namesAll(vote.getMask());
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && kindOf(call) == CalleeKind::Vote && call.getNumOperands() == 2 &&
         namesAll(call.getOperand(0));
}

/// Returns whether the operation runs its regions at most once.
bool isBranch(Operation *op) { return isa<scf::IfOp, scf::IndexSwitchOp>(op); }

class Meetings {
public:
  explicit Meetings(grain::KernelOp kernel) : uniformity(kernel) {
    kernel.walk([&](Operation *op) {
      if (isSite(op))
        sites.push_back({op, kindOfMeeting(op), wayTo(op)});
    });
  }

  std::optional<Meeting> find() const {
    for (auto [index, site] : llvm::enumerate(sites)) {
      if (mayMeetInRounds(site))
        return Meeting{site.op, "in different iterations of a loop"};
      for (const Site &earlier : ArrayRef(sites).take_front(index))
        if (mayMeet(earlier, site))
          return Meeting{site.op, "at different places in the code"};
    }
    return std::nullopt;
  }

private:
  /// Returns whether lanes meet at `op`. Volatile accesses and queries of the active lanes do not
  /// wait for other lanes.
  static bool isSite(Operation *op) {
    return interactionOf(op).convergence != Convergence::None &&
           !isa<LLVM::LoadOp, LLVM::StoreOp>(op) && op->getNumRegions() == 0 && !isBarrier(op) &&
           !(isa<LLVM::CallOp>(op) && op->getNumOperands() == 0 && kindOfMeeting(op));
  }

  Way wayTo(Operation *op) const {
    Way way;
    for (Region *region = op->getParentRegion();
         !isa<grain::ThreadsOp, grain::KernelOp>(region->getParentOp());
         region = region->getParentRegion())
      if (mayDiverge(region->getParentOp()))
        way.push_back({region->getParentOp(), region->getRegionNumber()});
    std::reverse(way.begin(), way.end());
    return way;
  }

  bool mayDiverge(Operation *control) const {
    if (!overlap(uniformity.ofControl(control), Dependence::Threads))
      return false;
    if (auto branch = dyn_cast<scf::IfOp>(control))
      return !isOfWholeWarp(branch.getCondition());
    if (auto loop = dyn_cast<scf::WhileOp>(control))
      return !isOfWholeWarp(loop.getConditionOp().getCondition());
    return true;
  }

  /// Returns true if all lanes of a warp have the same value because it is a vote of all of them.
  bool isOfWholeWarp(Value value, unsigned depth = 8) const {
    if (!overlap(uniformity.of(value), Dependence::Threads))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || depth == 0)
      return false;
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (isa<NVVM::VoteBallotOp>(op) || (call && kindOf(call) == CalleeKind::Vote))
      return takesWholeWarp(op);
    return op->getNumRegions() == 0 && op->getNumOperands() != 0 && isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isOfWholeWarp(operand, depth - 1); });
  }

  bool mayMeet(const Site &a, const Site &b) const {
    bool sameKind = !a.kind || !b.kind || a.kind == b.kind;
    return sameKind && a.way != b.way && !isBarrierBetween(a.op, b.op);
  }

  /// Returns whether lanes that diverge inside a loop may meet lanes of another iteration at this
  /// place.
  bool mayMeetInRounds(const Site &site) const {
    return llvm::any_of(site.way, [&](auto step) { return mayDrift(step.first, site.kind); });
  }

  /// Returns whether lanes may pass through `control` a different number of times in one iteration
  /// of a loop than other lanes, and make up for it in another iteration or by a different number
  /// of iterations. They cannot if `control` decides alike in iterations that all lanes run, or if
  /// all lanes come together in each iteration.
  bool mayDrift(Operation *control, std::optional<CalleeKind> kind) const {
    auto bringsTogether = [&](Operation &op) {
      return isBarrier(&op) || (kind && takesWholeWarp(&op) && kindOfMeeting(&op) != kind);
    };
    for (Operation *op = control; !isa<grain::ThreadsOp, grain::KernelOp>(op->getParentOp());
         op = op->getParentOp()) {
      if (llvm::any_of(*op->getBlock(), bringsTogether))
        return false;
      Operation *holder = op->getParentOp();
      if (!isBranch(holder) && (mayDiverge(holder) || !decidesAlike(control, holder)))
        return true;
    }
    return false;
  }

  /// Returns whether `control` decides the same in all iterations of `loop`.
  static bool decidesAlike(Operation *control, Operation *loop) {
    if (isBranch(control))
      return isInvariant(control->getOperand(0), loop);
    return isa<scf::ForOp>(control) &&
           llvm::all_of(control->getOperands().take_front(3),
                        [&](Value bound) { return isInvariant(bound, loop); });
  }

  static bool isInvariant(Value value, Operation *loop, unsigned depth = 8) {
    if (!loop->isAncestor(value.getParentRegion()->getParentOp()))
      return true;
    Operation *op = value.getDefiningOp();
    return op && depth != 0 && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isInvariant(operand, loop, depth - 1); });
  }

  static bool isInLoop(Operation *op) {
    for (op = op->getParentOp(); !isa<grain::ThreadsOp, grain::KernelOp>(op);
         op = op->getParentOp())
      if (!isBranch(op))
        return true;
    return false;
  }

  /// Returns whether each path between the two passes a barrier in the innermost block that
  /// contains both. `a` comes first.
  bool isBarrierBetween(Operation *a, Operation *b) const {
    Block *common = a->getBlock();
    while (!common->findAncestorOpInBlock(*b))
      common = common->getParentOp()->getBlock();
    Operation *first = common->findAncestorOpInBlock(*a);
    Operation *second = common->findAncestorOpInBlock(*b);
    if (first == second)
      return false;
    auto hasBarrier = [](Block::iterator from, Block::iterator to) {
      return llvm::any_of(llvm::make_range(from, to), [](Operation &op) { return isBarrier(&op); });
    };
    if (!hasBarrier(std::next(first->getIterator()), second->getIterator()))
      return false;
    // In a loop the second also comes before the first.
    return !isInLoop(first) || hasBarrier(common->begin(), first->getIterator()) ||
           hasBarrier(std::next(second->getIterator()), common->end());
  }

  Uniformity uniformity;
  SmallVector<Site> sites;
};

} // namespace

bool regrain::isWarpBarrier(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return isa<NVVM::SyncWarpOp>(op) ||
         (call && call.getCallee().value_or("").contains("nvvm.bar.warp.sync"));
}

std::optional<Meeting> regrain::findMeeting(grain::KernelOp kernel) {
  return Meetings(kernel).find();
}
