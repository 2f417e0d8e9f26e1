//===- Progress.cpp - Loops that wait for another thread ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Progress.h"

#include "compiler/Analysis/ConstantMemory.h"
#include "compiler/Analysis/Convergence.h"
#include "compiler/Analysis/Retry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

bool isWithin(Operation *loop, Value value) {
  return loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// What `op` writes to: an address and the value, null where `op` is no store.
std::pair<Value, Value> writeOf(Operation *op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return {store.getAddr(), store.getValue()};
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return {update.getPtr(), update.getVal()};
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return {exchange.getPtr(), exchange.getVal()};
  return {};
}

/// Allocations of different operations do not overlap, and no parameter points
/// into memory that lives as long as its thread or block.
bool mayAlias(Value a, Value b) {
  a = regrain::baseOf(a);
  b = regrain::baseOf(b);
  if (a == b)
    return true;
  auto isOwn = [](Value base) {
    return isa_and_nonnull<LLVM::AllocaOp, regrain::grain::SharedOp,
                           regrain::grain::DynamicSharedOp>(base.getDefiningOp());
  };
  auto isKnown = [&](Value base) {
    auto argument = dyn_cast<BlockArgument>(base);
    return isOwn(base) || base.getDefiningOp<LLVM::AddressOfOp>() ||
           (argument && isa<regrain::grain::KernelOp>(argument.getOwner()->getParentOp()));
  };
  auto first = a.getDefiningOp<LLVM::AddressOfOp>(), second = b.getDefiningOp<LLVM::AddressOfOp>();
  if (first && second)
    return first.getGlobalName() == second.getGlobalName();
  bool oneIsOwn = (isOwn(a) && isKnown(b)) || (isOwn(b) && isKnown(a));
  bool bothDynamic = a.getDefiningOp<regrain::grain::DynamicSharedOp>() &&
                     b.getDefiningOp<regrain::grain::DynamicSharedOp>();
  return bothDynamic || !oneIsOwn;
}

/// The values in a loop that others are computed from.
class Slice {
public:
  explicit Slice(Operation *loop) : loop(loop) {}

  llvm::SetVector<Value> of(Value root) {
    slice.clear();
    add(root);
    for (size_t next = 0; next < slice.size(); ++next)
      follow(slice[next]);
    return slice;
  }

private:
  void add(Value value) {
    if (isWithin(loop, value))
      slice.insert(value);
  }

  /// Operands of `op` and of the terminators in its regions: coarse, and enough.
  void addAllOf(Operation *op) {
    for (Value operand : op->getOperands())
      add(operand);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          add(operand);
  }

  /// What the loop itself may have written where `load` reads, and what decided
  /// that it did.
  void addStored(LLVM::LoadOp load) {
    loop->walk([&](Operation *op) {
      auto [address, value] = writeOf(op);
      if (!address || !mayAlias(address, load.getAddr()))
        return;
      add(value);
      for (Operation *holder = op->getParentOp(); holder != loop; holder = holder->getParentOp())
        addAllOf(holder);
    });
  }

  void follow(Value value) {
    if (Operation *op = value.getDefiningOp()) {
      addAllOf(op);
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        addStored(load);
      return;
    }
    auto argument = cast<BlockArgument>(value);
    Operation *parent = argument.getOwner()->getParentOp();
    auto inner = dyn_cast<scf::WhileOp>(parent);
    if (!inner) {
      addAllOf(parent);
    } else if (argument.getOwner() == inner.getBeforeBody()) {
      add(inner.getYieldOp().getOperand(argument.getArgNumber()));
      if (parent != loop)
        addAllOf(parent);
    } else {
      add(inner.getConditionOp().getArgs()[argument.getArgNumber()]);
    }
  }

  Operation *loop;
  llvm::SetVector<Value> slice;
};

/// The stand-in of inline assembly (Import/Park.h), which may clobber memory.
bool isParkedAssembly(StringRef callee) { return callee.starts_with("asm"); }

/// Whether memory may be read anew in each iteration: plain loads are not,
/// unless something in the loop orders them.
bool hasFence(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        auto call = dyn_cast<LLVM::CallOp>(op);
        StringRef callee = call && call.getCallee() ? *call.getCallee() : "";
        bool isFence = isa<LLVM::FenceOp>(op) || callee.starts_with("nvvm.membar") ||
                       callee.starts_with("nvvm.fence") || callee.starts_with("nvvm.nanosleep") ||
                       (isParkedAssembly(callee) && !regrain::isPureCall(call));
        return isFence ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

class Waiting {
public:
  explicit Waiting(scf::WhileOp loop) : loop(loop) {}

  bool mayWait() {
    if (regrain::isRetryLoop(loop))
      return false;
    ends = Slice(loop).of(loop.getConditionOp().getCondition());
    fenced = hasFence(loop);
    return llvm::any_of(ends, [&](Value value) {
      Operation *op = value.getDefiningOp();
      return op && seesOthers(op);
    });
  }

private:
  bool seesOthers(Operation *op);
  bool seesOthers(LLVM::LoadOp load);
  bool drawsTicket(LLVM::AtomicRMWOp op);
  bool isGivenBack(LLVM::AtomicRMWOp ticket);
  bool isComparedForEquality(LLVM::AtomicRMWOp ticket);

  scf::WhileOp loop;
  llvm::SetVector<Value> ends; ///< what the loop's end is computed from
  bool fenced = false;
  regrain::ConstantMemory constantMemory;
};

bool Waiting::seesOthers(LLVM::LoadOp load) {
  if (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return true;
  return fenced && !regrain::baseOf(load.getAddr()).getDefiningOp<LLVM::AllocaOp>() &&
         !constantMemory.isReadBy(load);
}

bool addsConstant(LLVM::AtomicRMWOp op) {
  APInt step;
  bool adds = op.getBinOp() == LLVM::AtomicBinOp::add || op.getBinOp() == LLVM::AtomicBinOp::sub;
  return adds && matchPattern(op.getVal(), m_ConstantInt(&step)) && !step.isZero();
}

/// Whether something else in the loop may write where the tickets are drawn.
bool Waiting::isGivenBack(LLVM::AtomicRMWOp ticket) {
  auto givesBack = [&](Operation *op) {
    auto [address, value] = writeOf(op);
    if (!address || op == ticket || value.getType() != ticket.getVal().getType() ||
        regrain::baseOf(address) != regrain::baseOf(ticket.getPtr()))
      return false;
    auto other = dyn_cast<LLVM::AtomicRMWOp>(op);
    return !other || other.getBinOp() != ticket.getBinOp() || other.getVal() != ticket.getVal();
  };
  return loop
      ->walk([&](Operation *op) {
        return givesBack(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Waiting::isComparedForEquality(LLVM::AtomicRMWOp ticket) {
  return llvm::any_of(ends, [&](Value value) {
    auto compare = value.getDefiningOp<arith::CmpIOp>();
    if (!compare || (compare.getPredicate() != arith::CmpIPredicate::eq &&
                     compare.getPredicate() != arith::CmpIPredicate::ne))
      return false;
    Slice slice(loop);
    return slice.of(compare.getLhs()).contains(ticket.getRes()) ||
           slice.of(compare.getRhs()).contains(ticket.getRes());
  });
}

bool Waiting::drawsTicket(LLVM::AtomicRMWOp op) {
  if (!addsConstant(op) || isGivenBack(op))
    return false;
  return isWithin(loop, op.getPtr()) || !isComparedForEquality(op);
}

/// Whether `op` sees what other threads do without a barrier between.
bool Waiting::seesOthers(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return seesOthers(load);
  if (isa<LLVM::AtomicCmpXchgOp>(op))
    return true;
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return !drawsTicket(update);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !regrain::isPureCall(call) && regrain::convergenceOf(op) != regrain::Convergence::Warp;
  return isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op);
}

/// Control flow that is not structured is not looked into: where it leads back
/// to where it was, any sight of others may end it.
bool mayWait(scf::ExecuteRegionOp region) {
  llvm::DenseMap<Block *, unsigned> entering;
  SmallVector<Block *> ready;
  size_t taken = 0;
  for (Block &block : region.getRegion()) {
    entering[&block] = std::distance(block.pred_begin(), block.pred_end());
    if (entering[&block] == 0)
      ready.push_back(&block);
  }
  for (; !ready.empty(); ++taken)
    for (Block *successor : ready.pop_back_val()->getSuccessors())
      if (--entering[successor] == 0)
        ready.push_back(successor);
  if (taken == entering.size())
    return false;
  return region
      .walk([&](Operation *op) {
        auto load = dyn_cast<LLVM::LoadOp>(op);
        bool sees = isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::CallOp>(op) ||
                    (load && (load.getVolatile_() ||
                              load.getOrdering() != LLVM::AtomicOrdering::not_atomic));
        return sees ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

Operation *regrain::findWait(Operation *root) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::WhileOp>(op);
    auto region = dyn_cast<scf::ExecuteRegionOp>(op);
    if (!(loop && Waiting(loop).mayWait()) && !(region && mayWait(region)))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
