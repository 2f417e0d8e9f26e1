//===- UnrollLoops.cpp - Loops of known length ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/UnrollLoops.h"

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Puts the iterations of a loop in front of it, one after the other.
class Unrolling {
public:
  Unrolling(Operation *loop, unsigned budget)
      : loop(loop), last(loop->getPrevNode()), builder(loop), left(budget) {}

  bool run() {
    auto counted = dyn_cast<scf::ForOp>(loop);
    auto tested = dyn_cast<scf::WhileOp>(loop);
    if (counted ? run(counted) : tested && run(tested)) {
      loop->erase();
      return true;
    }
    while (loop->getPrevNode() != last)
      loop->getPrevNode()->erase();
    return false;
  }

  unsigned budgetLeft() const { return left; }

private:
  bool run(scf::ForOp op);
  bool run(scf::WhileOp op);
  bool clone(Block &block, IRMapping &mapping);

  Operation *loop, *last;
  OpBuilder builder;
  unsigned left;
};

SmallVector<Value> lookUp(const IRMapping &mapping, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Clones the operations of a block, folded, without its terminator. Returns false if the budget
/// does not suffice.
bool Unrolling::clone(Block &block, IRMapping &mapping) {
  for (Operation &op : block.without_terminator()) {
    if (isa<grain::LoopHintOp>(op))
      continue;
    unsigned size = 0;
    op.walk([&](Operation *) { ++size; });
    if (size > left)
      return false;
    left -= size;
    Operation *copy = builder.clone(op, mapping);
    SmallVector<Value> folded;
    if (copy->getNumRegions() == 0 && succeeded(builder.tryFold(copy, folded)) && !folded.empty()) {
      mapping.map(op.getResults(), folded);
      copy->erase();
    }
  }
  return true;
}

bool Unrolling::run(scf::ForOp op) {
  APInt counter, end, step;
  if (!matchPattern(op.getLowerBound(), m_ConstantInt(&counter)) ||
      !matchPattern(op.getUpperBound(), m_ConstantInt(&end)) ||
      !matchPattern(op.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return false;
  SmallVector<Value> carried(op.getInitArgs());
  Type type = op.getInductionVar().getType();
  for (bool wraps = false; !wraps && counter.slt(end); counter = counter.sadd_ov(step, wraps)) {
    if (left == 0)
      return false;
    IRMapping mapping;
    mapping.map(
        op.getInductionVar(),
        builder.create<arith::ConstantOp>(op.getLoc(), builder.getIntegerAttr(type, counter))
            .getResult());
    mapping.map(op.getRegionIterArgs(), carried);
    if (!clone(*op.getBody(), mapping))
      return false;
    carried = lookUp(mapping, op.getBody()->getTerminator()->getOperands());
    --left;
  }
  op.replaceAllUsesWith(carried);
  return true;
}

bool Unrolling::run(scf::WhileOp op) {
  SmallVector<Value> carried(op.getInits());
  while (left) {
    IRMapping mapping;
    mapping.map(op.getBeforeArguments(), carried);
    if (!clone(*op.getBeforeBody(), mapping))
      return false;
    APInt condition;
    scf::ConditionOp test = op.getConditionOp();
    if (!matchPattern(mapping.lookupOrDefault(test.getCondition()), m_ConstantInt(&condition)))
      return false;
    SmallVector<Value> passed = lookUp(mapping, test.getArgs());
    if (condition.isZero()) {
      op.replaceAllUsesWith(passed);
      return true;
    }
    mapping.map(op.getAfterArguments(), passed);
    if (!clone(*op.getAfterBody(), mapping))
      return false;
    carried = lookUp(mapping, op.getAfterBody()->getTerminator()->getOperands());
    --left;
  }
  return false;
}

} // namespace

bool regrain::unrollLoop(Operation *loop, unsigned &budget) {
  Unrolling unrolling(loop, budget);
  if (!unrolling.run())
    return false;
  budget = unrolling.budgetLeft();
  return true;
}
