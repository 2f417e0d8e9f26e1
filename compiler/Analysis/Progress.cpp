//===- Progress.cpp - Loops that wait for another thread ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Progress.h"

#include "compiler/Analysis/Convergence.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// The values in `loop` that `root` is computed from, through data and control.
/// What comes from outside the loop is left out.
SetVector<Value> sliceIn(Operation *loop, Value root) {
  SetVector<Value> slice;
  auto add = [&](Value value) {
    if (loop->isProperAncestor(value.getParentBlock()->getParentOp()) ||
        value.getParentBlock()->getParentOp() == loop)
      slice.insert(value);
  };
  /// Operands of `op` and of the terminators in its regions: coarse, and enough.
  auto addAllOf = [&](Operation *op) {
    for (Value operand : op->getOperands())
      add(operand);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          add(operand);
  };
  add(root);
  for (size_t next = 0; next < slice.size(); ++next) {
    Value value = slice[next];
    if (Operation *op = value.getDefiningOp()) {
      addAllOf(op);
      continue;
    }
    auto argument = cast<BlockArgument>(value);
    Operation *parent = argument.getOwner()->getParentOp();
    auto loopOp = dyn_cast<scf::WhileOp>(parent);
    if (!loopOp) {
      addAllOf(parent);
    } else if (argument.getOwner() == loopOp.getBeforeBody()) {
      add(loopOp.getYieldOp().getOperand(argument.getArgNumber()));
      if (parent != loop)
        addAllOf(parent);
    } else {
      add(loopOp.getConditionOp().getArgs()[argument.getArgNumber()]);
    }
  }
  return slice;
}

/// A compare-and-exchange that compares with what was just seen at its address.
bool isRetry(Operation *loop, LLVM::AtomicCmpXchgOp exchange) {
  for (Value value : sliceIn(loop, exchange.getCmp())) {
    if (value == exchange.getRes())
      return true;
    auto load = value.getDefiningOp<LLVM::LoadOp>();
    if (load && load.getAddr() == exchange.getPtr())
      return true;
  }
  return false;
}

bool drawsTicket(LLVM::AtomicRMWOp op) {
  APInt step;
  bool adds = op.getBinOp() == LLVM::AtomicBinOp::add || op.getBinOp() == LLVM::AtomicBinOp::sub;
  return adds && matchPattern(op.getVal(), m_ConstantInt(&step)) && !step.isZero();
}

/// Whether `op` sees what other threads do without a barrier between.
bool seesOthers(Operation *loop, Operation *op, const SetVector<Value> &retried) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic) &&
           !retried.contains(load.getAddr());
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return !isRetry(loop, exchange);
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return !drawsTicket(update);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !regrain::isPureCall(call) && regrain::convergenceOf(op) != regrain::Convergence::Warp;
  return isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op);
}

bool mayWait(scf::WhileOp loop) {
  SetVector<Value> slice = sliceIn(loop, loop.getConditionOp().getCondition());
  SetVector<Value> retried;
  for (Value value : slice)
    if (auto exchange = value.getDefiningOp<LLVM::AtomicCmpXchgOp>())
      if (isRetry(loop, exchange))
        retried.insert(exchange.getPtr());
  return llvm::any_of(slice, [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && seesOthers(loop, op, retried);
  });
}

/// Control flow inside is not structured: any sight of others may end a loop.
bool mayWait(scf::ExecuteRegionOp region) {
  if (region.getRegion().hasOneBlock())
    return false;
  return region
      .walk([&](Operation *op) {
        return seesOthers(region, op, {}) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

Operation *regrain::findWait(Operation *root) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::WhileOp>(op);
    auto region = dyn_cast<scf::ExecuteRegionOp>(op);
    if (!(loop && mayWait(loop)) && !(region && mayWait(region)))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
