//===- SplitSigns.cpp - A case for numbers below zero ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenThreads/SplitSigns.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/Signs.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace regrain;

/// Longer code is not copied, nor is code for more numbers.
static constexpr size_t mostOperations = 1000, mostNumbers = 4;

static bool maySplit(Block::iterator first, Block::iterator end) {
  size_t size = 0;
  return llvm::all_of(llvm::make_range(first, end), [&](Operation &op) {
    bool isApart = true;
    op.walk([&](Operation *inside) {
      isApart &= !isBarrier(inside) && !isa<LLVM::AllocaOp>(inside);
      ++size;
    });
    return isApart && size <= mostOperations && !findConvergent(&op, Convergence::Warp);
  });
}

/// Divides what is in the block of `number` from `first` on. What the block ends with gets its
/// operands from the case that ran.
static Operation *split(Value number, Operation *first) {
  Block &block = *first->getBlock();
  Operation *end = block.getTerminator();
  SmallVector<OpOperand *> results;
  SmallVector<Value> yielded;
  for (OpOperand &use : end->getOpOperands()) {
    Operation *source = use.get().getDefiningOp();
    if (!source || source->getBlock() != &block || source->isBeforeInBlock(first))
      continue;
    results.push_back(&use);
    yielded.push_back(use.get());
  }
  OpBuilder builder(first);
  Location location = first->getLoc();
  Value zero = builder.create<arith::ConstantOp>(location, builder.getZeroAttr(number.getType()));
  Value condition =
      builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::sge, number, zero);
  auto cases = builder.create<scf::IfOp>(location, ValueRange(yielded).getTypes(), condition,
                                         /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (Block *side : {cases.thenBlock(), cases.elseBlock()})
    if (!side->empty())
      side->back().erase();
  IRMapping mapping;
  builder.setInsertionPointToEnd(cases.elseBlock());
  for (Operation &op : llvm::make_range(first->getIterator(), end->getIterator()))
    builder.clone(op, mapping);
  builder.create<scf::YieldOp>(
      location, llvm::map_to_vector(yielded, [&](Value value) { return mapping.lookup(value); }));
  cases.thenBlock()->getOperations().splice(cases.thenBlock()->end(), block.getOperations(),
                                            first->getIterator(), end->getIterator());
  builder.setInsertionPointToEnd(cases.thenBlock());
  builder.create<scf::YieldOp>(location, yielded);
  for (auto [use, result] : llvm::zip_equal(results, cases.getResults()))
    use->set(result);
  return cases;
}

static bool isInElse(Operation *op, ArrayRef<Operation *> conditions) {
  return llvm::any_of(conditions, [&](Operation *condition) {
    return cast<scf::IfOp>(condition).getElseRegion().isAncestor(op->getParentRegion());
  });
}

/// Divides the code at one number, if there is one for which that pays. Numbers are not tested
/// again in the else of `conditions`.
static Operation *splitOnce(grain::ThreadsOp threads, const JoinedThreads &joined,
                            ArrayRef<Operation *> conditions) {
  Uniformity uniformity(threads->getParentOfType<grain::KernelOp>());
  Neighbours neighbours(threads, joined, uniformity);
  for (Operation *division : neighbours.findUnsigned()) {
    Value root = signRootOf(division->getOperand(0));
    Operation *first = root.getParentBlock()->findAncestorOpInBlock(*division);
    if (neighbours.strideOf(root) != 0 && !isInElse(division, conditions) &&
        maySplit(first->getIterator(), root.getParentBlock()->getTerminator()->getIterator()))
      return split(root, first);
  }
  return nullptr;
}

SmallVector<Operation *> regrain::splitSigns(grain::ThreadsOp threads,
                                             const JoinedThreads &joined) {
  SmallVector<Operation *> conditions;
  while (conditions.size() < mostNumbers) {
    Operation *condition = splitOnce(threads, joined, conditions);
    if (!condition)
      break;
    conditions.push_back(condition);
  }
  return conditions;
}
