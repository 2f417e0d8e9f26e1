//===- SplitGuards.cpp - Barriers out of guards ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitGuards/SplitGuards.h"

#include "compiler/Transforms/SplitGuards/Available.h"
#include "compiler/Transforms/SplitGuards/Outside.h"
#include "compiler/Transforms/SplitGuards/PairBarriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Splits one guard.
class Splitter {
public:
  Splitter(scf::IfOp guard, bool inThen, const Uniformity &uniformity, const Barriers &barriers)
      : guard(guard), uniformity(uniformity), barriers(barriers), inThen(inThen),
        guarded(inThen ? guard.getThenRegion() : guard.getElseRegion()),
        available(guarded, barriers), builder(guard) {}

  bool isLegal();
  void split();

private:
  bool isLegal(Operation *op);
  bool mayPart(scf::IfOp branch);
  SmallVector<Value> splitInstead();
  SmallVector<Value> splitGuarded();
  void splitBlock(Block &source);
  void splitInto(Block &source, Block &target);
  void splitRegions(Operation *op);
  void splitReduction(grain::BarrierReduceOp op);
  void flush(SmallVectorImpl<Operation *> &segment);
  scf::IfOp createGuard(TypeRange results);
  Block &insideOf(scf::IfOp op) { return inThen ? *op.thenBlock() : *op.elseBlock(); }
  Block &outsideOf(scf::IfOp op) { return inThen ? *op.elseBlock() : *op.thenBlock(); }
  Value anyThreadInside();

  scf::IfOp guard;
  const Uniformity &uniformity;
  const Barriers &barriers;
  bool inThen;
  Region &guarded;
  Available available;
  OpBuilder builder;
  IRMapping mapping;
  bool mayNotEnd = false; ///< a loop may not terminate for threads outside
};

bool Splitter::isLegal() {
  return !guarded
              .walk([&](Operation *op) {
                bool isFine = op->getNumRegions() == 0 || !barriers.isIn(op) || isLegal(op);
                return isFine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static bool holdsBarrier(Region &region, const Barriers &barriers) {
  return llvm::any_of(region.getOps(), [&](Operation &op) { return barriers.isIn(&op); });
}

/// Returns whether an inner condition can be split. If threads outside the guard may take another
/// branch than those inside and both branches contain barriers, the barriers have to be paired;
/// otherwise each side would wait at its own barriers.
bool Splitter::mayPart(scf::IfOp branch) {
  bool isSame = available.contains(branch.getCondition()) &&
                !overlap(uniformity.of(branch.getCondition()), Dependence::Threads);
  bool onBothWays = holdsBarrier(branch.getThenRegion(), barriers) &&
                    holdsBarrier(branch.getElseRegion(), barriers);
  return isSame || !onBothWays || canPairBarriers(branch, barriers);
}

/// Returns whether an operation with barriers inside the guard can be split. A condition that
/// differs between threads, or that threads outside cannot compute, is split later itself.
bool Splitter::isLegal(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return mayPart(branch);
  if (overlap(uniformity.ofControl(op), Dependence::Threads))
    return false;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    APInt step;
    mayNotEnd |= !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive();
    return available.contains(loop.getLowerBound()) && available.contains(loop.getUpperBound()) &&
           available.contains(loop.getStep());
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    mayNotEnd = true;
    return available.contains(loop.getConditionOp().getCondition());
  }
  return false;
}

scf::IfOp Splitter::createGuard(TypeRange results) {
  return builder.create<scf::IfOp>(guard.getLoc(), results,
                                   mapping.lookupOrDefault(guard.getCondition()),
                                   /*addThenBlock=*/true,
                                   /*addElseBlock=*/!inThen || !results.empty());
}

/// Puts the collected operations under a guard of their own.
void Splitter::flush(SmallVectorImpl<Operation *> &segment) {
  if (segment.empty())
    return;
  DenseSet<Operation *> own(segment.begin(), segment.end());
  SmallVector<Value> escaping;
  for (Operation *op : segment)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !own.contains(op->getBlock()->findAncestorOpInBlock(*user));
          }))
        escaping.push_back(result);

  scf::IfOp part = createGuard(ValueRange(escaping).getTypes());
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(&insideOf(part));
  IRMapping inside(mapping);
  for (Operation *op : segment)
    builder.clone(*op, inside);
  SmallVector<Value> computed;
  for (Value value : escaping)
    computed.push_back(inside.lookup(value));
  builder.create<scf::YieldOp>(guard.getLoc(), computed);
  if (!inThen || !escaping.empty()) {
    builder.setInsertionPointToStart(&outsideOf(part));
    builder.create<scf::YieldOp>(guard.getLoc(), createMissing(builder, guard.getLoc(), escaping));
  }
  mapping.map(escaping, part.getResults());
  segment.clear();
}

/// Threads outside the guard contribute a predicate that does not influence the reduction.
void Splitter::splitReduction(grain::BarrierReduceOp op) {
  Location location = op.getLoc();
  Value outside = createNeutral(builder, location, op.getKind());
  Value inside = mapping.lookupOrDefault(op.getPredicate());
  Value predicate =
      builder.create<arith::SelectOp>(location, mapping.lookupOrDefault(guard.getCondition()),
                                      inThen ? inside : outside, inThen ? outside : inside);
  builder.clone(*op, mapping)->setOperand(0, predicate);
}

void Splitter::splitBlock(Block &source) {
  SmallVector<Operation *> segment;
  for (Operation &op : source.without_terminator()) {
    if (isa<grain::LoopHintOp>(op) || available.isHoistable(&op)) {
      builder.clone(op, mapping);
    } else if (!barriers.isIn(&op)) {
      segment.push_back(&op);
    } else {
      flush(segment);
      if (auto reduce = dyn_cast<grain::BarrierReduceOp>(op))
        splitReduction(reduce);
      else if (isa<grain::BarrierOp>(op))
        builder.clone(op, mapping);
      else
        splitRegions(&op);
    }
  }
  flush(segment);
}

/// Fills `target` with the parts of `source` and its terminator.
void Splitter::splitInto(Block &source, Block &target) {
  OpBuilder::InsertionGuard insertion(builder);
  target.clear();
  mapping.map(source.getArguments(), target.getArguments());
  builder.setInsertionPointToEnd(&target);
  splitBlock(source);
  builder.clone(*source.getTerminator(), mapping);
}

/// The operation remains around its parts. Its control is available, or it is a condition that is
/// false outside.
void Splitter::splitRegions(Operation *op) {
  Operation *copy = op->cloneWithoutRegions(mapping);
  if (auto branch = dyn_cast<scf::IfOp>(copy);
      branch && !available.contains(cast<scf::IfOp>(op).getCondition())) {
    Value no = builder.create<arith::ConstantOp>(guard.getLoc(), builder.getBoolAttr(false));
    Value condition = branch.getCondition();
    branch.getConditionMutable().assign(builder.create<arith::SelectOp>(
        guard.getLoc(), mapping.lookupOrDefault(guard.getCondition()), inThen ? condition : no,
        inThen ? no : condition));
  }
  builder.insert(copy);
  for (auto [source, target] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (source.empty())
      continue;
    Block &block = target.emplaceBlock();
    for (BlockArgument argument : source.front().getArguments())
      block.addArgument(argument.getType(), argument.getLoc());
    splitInto(source.front(), block);
  }
}

Value Splitter::anyThreadInside() {
  Location location = guard.getLoc();
  Value inside = guard.getCondition();
  if (!inThen) {
    Value yes = builder.create<arith::ConstantOp>(location, builder.getBoolAttr(true));
    inside = builder.create<arith::XOrIOp>(location, inside, yes);
  }
  Value predicate = builder.create<arith::ExtUIOp>(location, builder.getI32Type(), inside);
  auto threads = guard->getParentOfType<grain::ThreadsOp>();
  Value any = builder.create<grain::BarrierReduceOp>(location, builder.getI32Type(),
                                                     grain::Reduction::Or, predicate,
                                                     ValueRange(threads.getBody().getArguments()));
  Value zero = builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(0));
  return builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ne, any, zero);
}

/// Moves the code of threads outside the guard, which contains no barrier, into a condition of its
/// own. Returns what it yields.
SmallVector<Value> Splitter::splitInstead() {
  Region &instead = inThen ? guard.getElseRegion() : guard.getThenRegion();
  if (instead.empty())
    return {};
  ValueRange yielded = instead.front().getTerminator()->getOperands();
  if (llvm::hasSingleElement(instead.front()))
    return SmallVector<Value>(yielded);
  auto part = builder.create<scf::IfOp>(guard.getLoc(), guard.getResultTypes(),
                                        guard.getCondition(), /*addThenBlock=*/true,
                                        /*addElseBlock=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  Block &inside = insideOf(part), &target = outsideOf(part);
  inside.clear();
  target.clear();
  builder.setInsertionPointToEnd(&inside);
  builder.create<scf::YieldOp>(guard.getLoc(), createMissing(builder, guard.getLoc(), yielded));
  target.getOperations().splice(target.end(), instead.front().getOperations());
  return SmallVector<Value>(part.getResults());
}

/// Splits the guarded code. Returns what threads inside yield.
SmallVector<Value> Splitter::splitGuarded() {
  auto split = [&] {
    splitBlock(guarded.front());
    SmallVector<Value> yielded;
    for (Value value : guarded.front().getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    return yielded;
  };
  if (!mayNotEnd)
    return split();
  Location location = guard.getLoc();
  bool hasResults = guard.getNumResults() != 0;
  auto entered = builder.create<scf::IfOp>(location, guard.getResultTypes(), anyThreadInside(),
                                           /*addThenBlock=*/true, /*addElseBlock=*/hasResults);
  OpBuilder::InsertionGuard insertion(builder);
  entered.thenBlock()->clear();
  builder.setInsertionPointToEnd(entered.thenBlock());
  SmallVector<Value> yielded = split();
  builder.create<scf::YieldOp>(location, yielded);
  if (hasResults) {
    entered.elseBlock()->clear();
    builder.setInsertionPointToEnd(entered.elseBlock());
    builder.create<scf::YieldOp>(location, createMissing(builder, location, yielded));
  }
  return SmallVector<Value>(entered.getResults());
}

void Splitter::split() {
  SmallVector<Value> outside = splitInstead();
  SmallVector<Value> inside = splitGuarded();
  for (auto [result, in, out] : llvm::zip(guard.getResults(), inside, outside))
    result.replaceAllUsesWith(builder.create<arith::SelectOp>(
        guard.getLoc(), guard.getCondition(), inThen ? in : out, inThen ? out : in));
  guard.erase();
}

bool isUnderDivergence(scf::IfOp guard, const Uniformity &uniformity) {
  for (Operation *outer = guard->getParentOp(); !isa<grain::ThreadsOp>(outer);
       outer = outer->getParentOp())
    if (overlap(uniformity.ofControl(outer), Dependence::Threads))
      return true;
  return false;
}

/// Splits `guard` if that is legal; returns whether it did.
bool split(scf::IfOp guard, const Uniformity &uniformity, const Barriers &barriers) {
  bool inThen = holdsBarrier(guard.getThenRegion(), barriers);
  if (isUnderDivergence(guard, uniformity))
    return false;
  if (inThen && holdsBarrier(guard.getElseRegion(), barriers)) {
    if (!canPairBarriers(guard, barriers))
      return false;
    pairBarriers(guard);
    return true;
  }
  Splitter splitter(guard, inThen, uniformity, barriers);
  if (!splitter.isLegal())
    return false;
  splitter.split();
  return true;
}

/// Splits the first guard that depends on `wanted` and can be split; returns false if there is
/// none.
bool splitOne(grain::ThreadsOp threads, Dependence wanted) {
  Uniformity uniformity(threads->getParentOfType<grain::KernelOp>());
  Barriers barriers(threads);
  bool done = false;
  threads.walk<WalkOrder::PreOrder>([&](scf::IfOp guard) {
    Dependence condition = uniformity.of(guard.getCondition());
    if (!barriers.isIn(guard) || !overlap(condition, Dependence::Threads) ||
        !overlap(condition, wanted))
      return WalkResult::advance();
    done = split(guard, uniformity, barriers);
    return done ? WalkResult::interrupt() : WalkResult::advance();
  });
  return done;
}

} // namespace

unsigned regrain::splitGuards(grain::ThreadsOp threads, Dependence wanted) {
  unsigned count = 0;
  while (splitOne(threads, wanted))
    ++count;
  return count;
}
