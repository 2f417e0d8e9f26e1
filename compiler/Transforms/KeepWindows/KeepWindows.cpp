//===- KeepWindows.cpp - What later steps read again ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepWindows/KeepWindows.h"

#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/KeepWindows/CarryResults.h"
#include "compiler/Transforms/KeepWindows/Window.h"
#include "compiler/Transforms/StepLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Puts a window into registers.
class WindowKeeping {
public:
  /// The loads of `ahead`, of none that is read again, are made a step before their values are
  /// needed.
  WindowKeeping(scf::ForOp loop, const Window &window, ArrayRef<LLVM::LoadOp> ahead)
      : loop(loop), window(window), sources(window.sources()), ahead(ahead), rewriter(loop) {
    for (const Reread &reread : window.rereads)
      mostSteps = std::max(mostSteps, reread.steps);
  }

  [[nodiscard]] LogicalResult run();

private:
  void createInits();
  SmallVector<Value> change(ArrayRef<BlockArgument> carried);
  void moveAddressesUp();
  void readWindow(unsigned steps, ArrayRef<BlockArgument> carried);
  Value before(LLVM::LoadOp source, unsigned steps, ArrayRef<BlockArgument> carried);
  Value createRunsNext(IRMapping &next);
  SmallVector<Value> loadAhead();
  SmallVector<Value> handOut(Block *body, ValueRange loadedAhead);

  scf::ForOp loop;
  const Window &window;
  SmallVector<LLVM::LoadOp> sources, ahead;
  IRRewriter rewriter;
  unsigned mostSteps = 0;
  llvm::DenseMap<Operation *, Value> current; ///< what a source has in this step
  /// What the code hands out if it does not run: for each source and for each load ahead, and
  /// whether it has run.
  SmallVector<Value> none;
  /// The values of each source one, two, ... steps ago, what was loaded ahead, then whether the
  /// code ran one, two, ... steps ago.
  SmallVector<Value> inits;
};

void WindowKeeping::createInits() {
  Location location = loop.getLoc();
  for (LLVM::LoadOp source : sources) {
    none.push_back(rewriter.create<LLVM::PoisonOp>(location, source.getType()));
    inits.append(window.stepsOf(source), none.back());
  }
  for (LLVM::LoadOp load : ahead) {
    none.push_back(rewriter.create<LLVM::PoisonOp>(location, load.getType()));
    inits.push_back(none.back());
  }
  none.push_back(rewriter.create<arith::ConstantOp>(location, rewriter.getBoolAttr(false)));
  inits.append(mostSteps, none.back());
}

/// Moves what the addresses of the loads need to the start of the code.
void WindowKeeping::moveAddressesUp() {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> open;
  for (const Reread &reread : window.rereads)
    open.push_back(Reread(reread).load.getAddr());
  for (LLVM::LoadOp load : ahead)
    open.push_back(load.getAddr());
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (op && op->getBlock() == window.code && needed.insert(op).second)
      llvm::append_range(open, op->getOperands());
  }
  SmallVector<Operation *> inOrder;
  for (Operation &op : *window.code)
    if (needed.contains(&op))
      inOrder.push_back(&op);
  auto first = llvm::find_if(*window.code, [&](Operation &op) { return !needed.contains(&op); });
  for (Operation *op : inOrder)
    op->moveBefore(&*first);
  rewriter.setInsertionPoint(&*first);
}

/// Returns the value that `source` had some steps ago.
Value WindowKeeping::before(LLVM::LoadOp source, unsigned steps, ArrayRef<BlockArgument> carried) {
  unsigned position = 0;
  for (LLVM::LoadOp other : sources) {
    if (other == source)
      break;
    position += window.stepsOf(other);
  }
  return carried[position + steps - 1];
}

/// Replaces the loads of what was read `steps` steps ago, or loaded ahead in the last step.
void WindowKeeping::readWindow(unsigned steps, ArrayRef<BlockArgument> carried) {
  SmallVector<LLVM::LoadOp> loads;
  SmallVector<Value> kept;
  for (const Reread &reread : window.rereads)
    if (reread.steps == steps) {
      loads.push_back(reread.load);
      kept.push_back(before(reread.source, steps, carried));
    }
  if (steps == 1) {
    llvm::append_range(loads, ahead);
    llvm::append_range(kept, carried.drop_back(mostSteps).take_back(ahead.size()));
  }
  if (loads.empty())
    return;
  Location location = loads.front().getLoc();
  auto choice = rewriter.create<scf::IfOp>(location, ValueRange(kept).getTypes(),
                                           carried[inits.size() - mostSteps + steps - 1],
                                           /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> loaded;
  rewriter.setInsertionPointToStart(choice.elseBlock());
  for (LLVM::LoadOp load : loads)
    loaded.push_back(rewriter.clone(*load)->getResult(0));
  rewriter.create<scf::YieldOp>(location, loaded);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  rewriter.create<scf::YieldOp>(location, kept);
  for (auto [load, value] : llvm::zip_equal(loads, choice.getResults())) {
    if (current.contains(load))
      current[load] = value;
    rewriter.replaceAllUsesWith(load.getResult(), value);
  }
}

/// Computes the value as the next step has it.
Value createNext(OpBuilder &builder, scf::ForOp loop, Value value, IRMapping &next) {
  Operation *op = value.getDefiningOp();
  if (next.contains(value))
    return next.lookup(value);
  if (!op || !loop->isProperAncestor(op))
    return value;
  for (Value operand : op->getOperands())
    next.map(operand, createNext(builder, loop, operand, next));
  builder.clone(*op, next);
  return next.lookup(value);
}

/// Returns whether the next step runs the code.
Value WindowKeeping::createRunsNext(IRMapping &next) {
  Location location = loop.getLoc();
  Value counter = rewriter.create<arith::AddIOp>(location, loop.getInductionVar(), loop.getStep());
  next.map(loop.getInductionVar(), counter);
  Value runs = rewriter.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, counter,
                                              loop.getUpperBound());
  SmallVector<Region *> regions;
  for (Region *region = window.code->getParent(); region != &loop.getRegion();
       region = region->getParentRegion())
    regions.push_back(region);
  Value yes = rewriter.create<arith::ConstantOp>(location, rewriter.getBoolAttr(true));
  for (Region *region : llvm::reverse(regions)) {
    auto branch = cast<scf::IfOp>(region->getParentOp());
    Value holds = createNext(rewriter, loop, branch.getCondition(), next);
    if (region != &branch.getThenRegion())
      holds = rewriter.create<arith::XOrIOp>(location, holds, yes);
    // A condition may be poison where one around it does not hold.
    runs = rewriter.create<arith::SelectOp>(location, runs, holds, none.back());
  }
  return runs;
}

/// Makes the loads of the next step, if it makes them.
SmallVector<Value> WindowKeeping::loadAhead() {
  if (ahead.empty())
    return {};
  IRMapping next;
  Value runs = createRunsNext(next);
  SmallVector<Type> types;
  for (LLVM::LoadOp load : ahead)
    types.push_back(load.getType());
  auto choice = rewriter.create<scf::IfOp>(loop.getLoc(), types, runs, /*addThenBlock=*/true,
                                           /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> loaded;
  for (LLVM::LoadOp load : ahead) {
    next.map(load.getAddr(), createNext(rewriter, loop, load.getAddr(), next));
    loaded.push_back(rewriter.clone(*load, next)->getResult(0));
  }
  rewriter.create<scf::YieldOp>(loop.getLoc(), loaded);
  rewriter.setInsertionPointToStart(choice.elseBlock());
  rewriter.create<scf::YieldOp>(loop.getLoc(), ArrayRef(none).drop_back().take_back(ahead.size()));
  return choice.getResults();
}

/// Returns what each source has in this step, what is loaded ahead, and whether the code runs, as
/// values of the loop's body.
SmallVector<Value> WindowKeeping::handOut(Block *body, ValueRange loadedAhead) {
  SmallVector<Value> values;
  for (LLVM::LoadOp source : sources)
    values.push_back(current[source]);
  llvm::append_range(values, loadedAhead);
  rewriter.setInsertionPoint(window.code->getTerminator());
  values.push_back(rewriter.create<arith::ConstantOp>(loop.getLoc(), rewriter.getBoolAttr(true)));
  for (Block *block = window.code; block != body;) {
    scf::IfOp wider = addResults(rewriter, block->getParent(), values, none);
    values = llvm::to_vector_of<Value>(wider.getResults().take_back(values.size()));
    block = wider->getBlock();
  }
  return values;
}

/// Changes the code of the loop. Returns what it carries to the next step.
SmallVector<Value> WindowKeeping::change(ArrayRef<BlockArgument> carried) {
  for (LLVM::LoadOp source : sources)
    current[source] = source.getResult();
  moveAddressesUp();
  for (unsigned steps = 1; steps <= mostSteps; ++steps)
    readWindow(steps, carried);
  SmallVector<Value> values = handOut(loop.getBody(), loadAhead());
  SmallVector<Value> next;
  size_t position = 0;
  auto shift = [&](Value value, unsigned steps) {
    next.push_back(value);
    llvm::append_range(next, carried.slice(position, steps - 1));
    position += steps;
  };
  for (auto [source, value] : llvm::zip(sources, values))
    shift(value, window.stepsOf(source));
  for (Value value : ArrayRef(values).drop_back().take_back(ahead.size()))
    shift(value, 1);
  shift(values.back(), mostSteps);
  for (const Reread &reread : window.rereads)
    rewriter.eraseOp(Reread(reread).load);
  for (LLVM::LoadOp load : ahead)
    rewriter.eraseOp(load);
  return next;
}

LogicalResult WindowKeeping::run() {
  createInits();
  auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    return change(carried);
  };
  FailureOr<LoopLikeOpInterface> carrying = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yields);
  if (failed(carrying))
    return failure();
  (*carrying)->removeAttr(stepsAttribute);
  loop = cast<scf::ForOp>(carrying->getOperation());
  if (mostSteps != 1 || !ahead.empty())
    return success();
  return carryResults(loop, /*ran=*/loop.getNumRegionIterArgs() - 1);
}

} // namespace

static std::optional<Refusal> keep(grain::KernelOp kernel, bool loadsAhead,
                                   const FrozenRewritePatternSet &patterns) {
  if (failed(unrollInSteps(kernel, patterns)))
    return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
  std::optional<Refusal> refusal =
      refuse(kernel, RefusalKind::NothingInWindow, "no blocks run in steps");
  struct Found {
    scf::ForOp loop;
    Window window;
    SmallVector<LLVM::LoadOp> ahead;
  };
  SmallVector<Found> windows;
  Accesses accesses(kernel);
  for (scf::ForOp loop : loopsOverSteps(kernel)) {
    std::optional<Refusal> why;
    WindowSearch search(loop, accesses);
    Found found = {loop, search.find(why), {}};
    if (!why && loadsAhead)
      found.ahead = search.findAhead(found.window, why);
    if (why)
      refusal = why;
    else
      windows.push_back(found);
  }
  if (windows.empty())
    return refusal;
  for (auto &[loop, window, ahead] : windows)
    if (failed(WindowKeeping(loop, window, ahead).run()))
      return refuse(loop, RefusalKind::InvalidResult, "the loop cannot carry further values");
  return std::nullopt;
}

std::optional<Refusal> regrain::keepWindows(grain::KernelOp kernel, bool loadsAhead,
                                            const FrozenRewritePatternSet &patterns) {
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  std::optional<Refusal> refusal = keep(kernel, loadsAhead, patterns);
  if (refusal)
    kernel.getBody().takeBody(before->getBody());
  return refusal;
}
