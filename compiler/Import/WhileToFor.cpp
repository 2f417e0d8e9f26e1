//===- WhileToFor.cpp - Counting while loops to scf.for -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that counts down in i counts up in j = ~i, which reverses the order of
// all integers and never overflows: i > b is ~i < ~b, and i - s is ~(~i + s).
//
// A counter that advances by a power of two may wrap around only in a loop that never ends: the
// numbers that follow are less than those before, of which the last one was below the bound. A loop
// that does nothing but compute and access memory must end.
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/RaiseLoops.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace regrain;
using Predicate = arith::CmpIPredicate;

namespace {

/// `counter` starts at its initial value and advances by `step` as long as
/// `counter predicate bound`.
struct Counting {
  BlockArgument counter;
  arith::CmpIOp compare;
  Predicate predicate;
  Value bound;
  Value step;
  APInt constantStep; ///< 0 bits wide if the step is the block size
  bool noSignedWrap = false;
  bool needsLast = false; ///< the last value is used after the loop

  bool isConstant() const { return constantStep.getBitWidth() != 0; }
  bool isDown() const { return isConstant() && constantStep.isNegative(); }
  bool isByOne() const {
    return isConstant() && (constantStep.isOne() || constantStep.isAllOnes());
  }
};

bool isOutside(Value value, Operation *op) {
  return !op->isAncestor(value.getParentBlock()->getParentOp());
}

Predicate swapSides(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  default:
    return predicate;
  }
}

bool isNonNegative(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNonNegative();
  return value.getDefiningOp<arith::ExtUIOp>() || value.getDefiningOp<grain::BlockSizeOp>() ||
         value.getDefiningOp<grain::GridSizeOp>();
}

/// Returns whether every iteration completes, so that counting past the largest integer would
/// really happen.
bool alwaysCompletes(Region &body) {
  WalkResult result = body.walk([](Operation *op) {
    if (isa<scf::WhileOp, LLVM::Trap, LLVM::CallIntrinsicOp>(op))
      return WalkResult::interrupt();
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (!call)
      return WalkResult::advance();
    auto callee =
        call.getCallee()
            ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, call.getCalleeAttr())
            : LLVM::LLVMFuncOp();
    return callee && callee.getWillReturn() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

bool isLoopHint(Operation &op) { return isa<grain::LoopHintOp>(op); }

bool mustProgress(scf::WhileOp loop) {
  return llvm::any_of(loop.getBeforeBody()->getOps<grain::LoopHintOp>(),
                      [](grain::LoopHintOp hint) {
                        auto annotation = dyn_cast<LLVM::LoopAnnotationAttr>(hint.getAnnotation());
                        return annotation && annotation.getMustProgress() &&
                               annotation.getMustProgress().getValue();
                      });
}

/// Returns whether the loop would be undefined if it did not end: the source says that it makes
/// progress, and no operation in it is seen from outside while it runs.
bool mustEnd(scf::WhileOp loop) {
  auto isPlain = [](auto access) {
    return !access.getVolatile_() && access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  };
  auto isSilent = [&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return isPlain(load);
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      return isPlain(store);
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      return isPureCall(call);
    return isLoopHint(*op) || isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op) ||
           (op->getNumRegions() == 0 && isMemoryEffectFree(op));
  };
  return mustProgress(loop) && !loop->walk([&](Operation *op) {
                                      return isSilent(op) ? WalkResult::advance()
                                                          : WalkResult::interrupt();
                                    })
                                    .wasInterrupted();
}

/// Finds what is added to the counter in each iteration.
LogicalResult findStep(scf::WhileOp loop, Counting &counting) {
  unsigned index = counting.counter.getArgNumber();
  auto advance = loop.getYieldOp().getOperand(index).getDefiningOp<arith::AddIOp>();
  if (!advance)
    return failure();
  auto isCounter = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return false;
    return argument.getOwner() == loop.getAfterBody() &&
           loop.getConditionOp().getArgs()[argument.getArgNumber()] == counting.counter;
  };
  if (isCounter(advance.getLhs()))
    counting.step = advance.getRhs();
  else if (isCounter(advance.getRhs()))
    counting.step = advance.getLhs();
  else
    return failure();
  counting.noSignedWrap =
      bitEnumContainsAny(advance.getOverflowFlags(), arith::IntegerOverflowFlags::nsw);
  if (matchPattern(counting.step, m_ConstantInt(&counting.constantStep)))
    return success(!counting.constantStep.isZero() && !counting.constantStep.isMinSignedValue());
  counting.constantStep = APInt::getZeroWidth();
  return success(isOutside(counting.step, loop) &&
                 counting.step.getDefiningOp<grain::BlockSizeOp>());
}

/// Finds the counter, its comparison and its step.
LogicalResult findCounter(scf::WhileOp loop, Counting &counting) {
  scf::ConditionOp condition = loop.getConditionOp();
  counting.compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!counting.compare || counting.compare->getBlock() != loop.getBeforeBody())
    return failure();
  auto headerArgument = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == loop.getBeforeBody() ? argument : BlockArgument();
  };
  counting.predicate = counting.compare.getPredicate();
  counting.counter = headerArgument(counting.compare.getLhs());
  counting.bound = counting.compare.getRhs();
  if (!counting.counter) {
    counting.counter = headerArgument(counting.compare.getRhs());
    counting.bound = counting.compare.getLhs();
    counting.predicate = swapSides(counting.predicate);
  }
  if (!counting.counter || !isOutside(counting.bound, loop))
    return failure();
  return findStep(loop, counting);
}

/// Returns whether the loop's header can be computed once per iteration and once more after the
/// loop; finds out whether the last value of the counter is needed there.
LogicalResult checkHeader(scf::WhileOp loop, Counting &counting) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (!isLoopHint(op) && (!isMemoryEffectFree(&op) || op.getNumRegions() != 0))
      return failure();
  llvm::DenseSet<Value> dependent{counting.counter};
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (llvm::any_of(op.getOperands(), [&](Value v) { return dependent.contains(v); }))
      dependent.insert(op.result_begin(), op.result_end());
  dependent.erase(counting.compare.getResult());
  for (auto [result, value] : llvm::zip(loop.getResults(), loop.getConditionOp().getArgs()))
    counting.needsLast |= !result.use_empty() && dependent.contains(value);
  return success(!counting.needsLast || counting.isByOne());
}

/// Returns whether all counters are constant and the bound is reached exactly.
bool endsExactly(scf::WhileOp loop, const Counting &counting) {
  APInt first, last;
  if (!counting.isConstant() ||
      !matchPattern(loop.getInits()[counting.counter.getArgNumber()], m_ConstantInt(&first)) ||
      !matchPattern(counting.bound, m_ConstantInt(&last)))
    return false;
  if (counting.isDown())
    return first.sge(last) && (first - last).urem(-counting.constantStep).isZero();
  return first.sle(last) && (last - first).urem(counting.constantStep).isZero();
}

/// Turns the comparison into a signed "<" or "<=" in the direction of counting. Sets `inclusive`;
/// fails if the meaning would change.
LogicalResult makeSigned(scf::WhileOp loop, Counting &counting, bool &inclusive) {
  bool exact = counting.isByOne() || counting.noSignedWrap;
  Predicate predicate = counting.predicate;
  if (counting.isDown()) {
    inclusive = predicate == Predicate::sge;
    if (predicate == Predicate::ne)
      return success(endsExactly(loop, counting));
    if (predicate == Predicate::sgt)
      return success(exact);
    return success(inclusive && counting.noSignedWrap && alwaysCompletes(loop.getAfter()));
  }
  inclusive = predicate == Predicate::sle || predicate == Predicate::ule;
  if (predicate == Predicate::ne)
    return success(endsExactly(loop, counting));
  if (predicate == Predicate::slt)
    return success(exact ||
                   (counting.isConstant() && counting.constantStep.isPowerOf2() && mustEnd(loop)));
  if (predicate == Predicate::sle)
    return success(counting.noSignedWrap && alwaysCompletes(loop.getAfter()));
  if (predicate != Predicate::ult && predicate != Predicate::ule)
    return failure();
  if (!isNonNegative(loop.getInits()[counting.counter.getArgNumber()]))
    return failure();
  if (predicate == Predicate::ult && isNonNegative(counting.bound))
    return success(exact);
  return success(counting.noSignedWrap && alwaysCompletes(loop.getAfter()));
}

class Raise {
public:
  Raise(scf::WhileOp loop, Counting counting, bool inclusive, PatternRewriter &rewriter)
      : loop(loop), counting(counting), rewriter(rewriter), location(loop.getLoc()) {
    lower = toward(loop.getInits()[counting.counter.getArgNumber()]);
    upper = toward(counting.bound);
    if (inclusive)
      upper = rewriter.create<arith::AddIOp>(location, upper, constant(1),
                                             arith::IntegerOverflowFlags::nsw);
    step = counting.isDown() ? constant((-counting.constantStep).getSExtValue()) : counting.step;
  }

  void run() {
    SmallVector<Value> inits;
    for (auto [index, init] : llvm::enumerate(loop.getInits()))
      if (index != counting.counter.getArgNumber())
        inits.push_back(init);
    auto result = rewriter.create<scf::ForOp>(location, lower, upper, step, inits);
    buildBody(result);
    rewriter.setInsertionPointAfter(result);
    rewriter.replaceOp(loop, computeResults(result));
  }

private:
  Value constant(int64_t value) {
    return rewriter.create<arith::ConstantOp>(
        location, rewriter.getIntegerAttr(counting.counter.getType(), value));
  }
  /// Converts the loop's counter to one that counts up, or back.
  Value toward(Value value) {
    if (!counting.isDown())
      return value;
    return rewriter.create<arith::XOrIOp>(location, value, constant(-1));
  }

  /// Maps the header's arguments other than the counter to `values`.
  void mapArguments(IRMapping &mapping, ValueRange values) {
    unsigned next = 0;
    for (BlockArgument argument : loop.getBeforeBody()->getArguments())
      if (argument != counting.counter)
        mapping.map(argument, values[next++]);
  }
  /// Copies the header, given that the condition is `goesOn`.
  void copyHeader(IRMapping &mapping, bool goesOn) {
    for (Operation &op : loop.getBeforeBody()->without_terminator()) {
      if (&op == counting.compare)
        mapping.map(counting.compare.getResult(),
                    rewriter.create<arith::ConstantOp>(location, rewriter.getBoolAttr(goesOn)));
      else if (goesOn || !isLoopHint(op))
        rewriter.clone(op, mapping);
    }
  }

  void buildBody(scf::ForOp result) {
    Block *body = result.getBody();
    if (!body->empty())
      rewriter.eraseOp(body->getTerminator());
    rewriter.setInsertionPointToStart(body);
    IRMapping mapping;
    mapping.map(counting.counter, toward(result.getInductionVar()));
    mapArguments(mapping, result.getRegionIterArgs());
    copyHeader(mapping, true);
    for (auto [argument, value] :
         llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
      mapping.map(argument, mapping.lookupOrDefault(value));
    for (Operation &op : loop.getAfterBody()->without_terminator())
      rewriter.clone(op, mapping);
    SmallVector<Value> next;
    for (auto [index, value] : llvm::enumerate(loop.getYieldOp().getOperands()))
      if (index != counting.counter.getArgNumber())
        next.push_back(mapping.lookupOrDefault(value));
    rewriter.create<scf::YieldOp>(location, next);
  }

  /// Creates the last value: with a step of 1 the loop ends at its bound, or never begins.
  Value lastCounter() {
    if (counting.needsLast)
      return toward(rewriter.create<arith::MaxSIOp>(location, lower, upper));
    return rewriter.create<LLVM::PoisonOp>(location, counting.counter.getType());
  }

  SmallVector<Value> computeResults(scf::ForOp result) {
    IRMapping mapping;
    mapArguments(mapping, result.getResults());
    mapping.map(counting.counter, lastCounter());
    copyHeader(mapping, false);
    SmallVector<Value> results;
    for (Value value : loop.getConditionOp().getArgs())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  scf::WhileOp loop;
  Counting counting;
  PatternRewriter &rewriter;
  Location location;
  Value lower, upper, step;
};

struct WhileToFor : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    Counting counting;
    bool inclusive = false;
    if (failed(findCounter(loop, counting)) || failed(checkHeader(loop, counting)) ||
        failed(makeSigned(loop, counting, inclusive)))
      return failure();
    Raise(loop, counting, inclusive, rewriter).run();
    return success();
  }
};

} // namespace

void regrain::populateWhileToFor(RewritePatternSet &patterns) {
  patterns.add<WhileToFor>(patterns.getContext());
}
