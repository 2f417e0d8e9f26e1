//===- WarpMeetings.cpp - Warp operations of several places ---------------===//
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

/// What decides whether a lane comes to a place, from the outside in: an operation and
/// the number of its region. Only where lanes of a warp may go different ways.
using Way = SmallVector<std::pair<Operation *, unsigned>>;

struct Site {
  Operation *op;
  /// Lanes meet at operations of one kind alone; null: at any.
  const void *kind;
  Way way;
};

/// Null where the operation is not known to be one of CUDA's.
const void *kindOfMeeting(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call) {
    if (auto shuffle = dyn_cast<NVVM::ShflOp>(op))
      return shuffle.getKindAttr().getAsOpaquePointer();
    return isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()) ? op->getName().getAsOpaquePointer()
                                                                : nullptr;
  }
  switch (kindOf(call)) {
  case CalleeKind::Exchange:
  case CalleeKind::Vote:
  case CalleeKind::Matrix:
    return call.getCalleeAttr().getAsOpaquePointer();
  default:
    return nullptr;
  }
}

class Meetings {
public:
  explicit Meetings(grain::KernelOp kernel) : uniformity(kernel) {
    kernel.walk([&](Operation *op) {
      if (isSite(op))
        sites.push_back({op, kindOfMeeting(op), wayTo(op)});
    });
  }

  Operation *find() {
    for (auto [index, site] : llvm::enumerate(sites))
      for (const Site &earlier : ArrayRef(sites).take_front(index))
        if (mayMeet(earlier, site))
          return site.op;
    return nullptr;
  }

private:
  /// Volatile accesses of a warp wait for nobody, nor does asking who is there.
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

  /// True where all lanes of a warp have the value: a vote of all of them.
  bool isOfWholeWarp(Value value, unsigned depth = 8) const {
    if (!overlap(uniformity.of(value), Dependence::Threads))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || depth == 0)
      return false;
    auto call = dyn_cast<LLVM::CallOp>(op);
    bool isVote = isa<NVVM::VoteBallotOp>(op) || (call && kindOf(call) == CalleeKind::Vote);
    APInt lanes;
    if (isVote)
      return op->getNumOperands() == 2 && matchPattern(op->getOperand(0), m_ConstantInt(&lanes)) &&
             lanes.isAllOnes();
    return op->getNumRegions() == 0 && op->getNumOperands() != 0 && isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isOfWholeWarp(operand, depth - 1); });
  }

  bool mayMeet(const Site &a, const Site &b) const {
    bool sameKind = !a.kind || !b.kind || a.kind == b.kind;
    return sameKind && a.way != b.way && !isBarrierBetween(a.op, b.op);
  }

  static bool isInLoop(Operation *op) {
    for (op = op->getParentOp(); !isa<grain::ThreadsOp, grain::KernelOp>(op);
         op = op->getParentOp())
      if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
        return true;
    return false;
  }

  /// Whether each way from one to the other leads over a barrier in the innermost block
  /// that holds both. `a` comes first.
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
    // In a loop the second comes before the first, too.
    return !isInLoop(first) || hasBarrier(common->begin(), first->getIterator()) ||
           hasBarrier(std::next(second->getIterator()), common->end());
  }

  Uniformity uniformity;
  SmallVector<Site> sites;
};

} // namespace

Operation *regrain::findMeeting(grain::KernelOp kernel) { return Meetings(kernel).find(); }
