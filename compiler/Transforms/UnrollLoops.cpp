//===- UnrollLoops.cpp - Loops of known length ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollLoops.h"

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
  Unrolling(Operation *loop, unsigned budget, DecideCondition decide)
      : loop(loop), last(loop->getPrevNode()), builder(loop), left(budget), decide(decide) {}

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
  unsigned iterations() const { return count; }

private:
  bool run(scf::ForOp op);
  bool runFromAnywhere(scf::ForOp op);
  bool run(scf::WhileOp op);
  bool clone(scf::ForOp op, Value counter, SmallVector<Value> &carried);
  bool clone(Block &block, IRMapping &mapping);

  Operation *loop, *last;
  OpBuilder builder;
  unsigned left;
  unsigned count = 0; ///< of iterations
  DecideCondition decide;
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

/// Clones one iteration.
bool Unrolling::clone(scf::ForOp op, Value counter, SmallVector<Value> &carried) {
  if (left == 0)
    return false;
  --left;
  IRMapping mapping;
  mapping.map(op.getInductionVar(), counter);
  mapping.map(op.getRegionIterArgs(), carried);
  if (!clone(*op.getBody(), mapping))
    return false;
  carried = lookUp(mapping, op.getBody()->getTerminator()->getOperands());
  ++count;
  return true;
}

bool Unrolling::run(scf::ForOp op) {
  APInt counter, end, step;
  if (!matchPattern(op.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return false;
  if (!matchPattern(op.getLowerBound(), m_ConstantInt(&counter)) ||
      !matchPattern(op.getUpperBound(), m_ConstantInt(&end)))
    return runFromAnywhere(op);
  SmallVector<Value> carried(op.getInitArgs());
  Type type = op.getInductionVar().getType();
  for (bool wraps = false; !wraps && counter.slt(end); counter = counter.sadd_ov(step, wraps)) {
    auto number =
        builder.create<arith::ConstantOp>(op.getLoc(), builder.getIntegerAttr(type, counter));
    if (!clone(op, number, carried))
      return false;
  }
  op.replaceAllUsesWith(carried);
  return true;
}

/// The conditions are decided, which they are not for a counter that may wrap.
bool Unrolling::runFromAnywhere(scf::ForOp op) {
  SmallVector<Value> carried(op.getInitArgs());
  Value counter = op.getLowerBound();
  while (true) {
    std::optional<bool> condition = decide(builder.createOrFold<arith::CmpIOp>(
        op.getLoc(), arith::CmpIPredicate::slt, counter, op.getUpperBound()));
    if (!condition)
      return false;
    if (!*condition) {
      op.replaceAllUsesWith(carried);
      return true;
    }
    if (!clone(op, counter, carried))
      return false;
    counter = builder.createOrFold<arith::AddIOp>(op.getLoc(), counter, op.getStep());
  }
}

bool Unrolling::run(scf::WhileOp op) {
  SmallVector<Value> carried(op.getInits());
  while (left) {
    --left;
    IRMapping mapping;
    mapping.map(op.getBeforeArguments(), carried);
    if (!clone(*op.getBeforeBody(), mapping))
      return false;
    scf::ConditionOp test = op.getConditionOp();
    std::optional<bool> condition = decide(mapping.lookupOrDefault(test.getCondition()));
    if (!condition)
      return false;
    SmallVector<Value> passed = lookUp(mapping, test.getArgs());
    if (!*condition) {
      op.replaceAllUsesWith(passed);
      return true;
    }
    mapping.map(op.getAfterArguments(), passed);
    if (!clone(*op.getAfterBody(), mapping))
      return false;
    carried = lookUp(mapping, op.getAfterBody()->getTerminator()->getOperands());
    ++count;
  }
  return false;
}

} // namespace

std::optional<bool> regrain::decideConstant(Value condition) {
  APInt constant;
  if (!matchPattern(condition, m_ConstantInt(&constant)))
    return std::nullopt;
  return !constant.isZero();
}

std::optional<unsigned> regrain::unrollLoop(Operation *loop, unsigned &budget,
                                            DecideCondition decide) {
  Unrolling unrolling(loop, budget, decide);
  if (!unrolling.run())
    return std::nullopt;
  budget = unrolling.budgetLeft();
  return unrolling.iterations();
}
