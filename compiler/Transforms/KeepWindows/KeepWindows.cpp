//===- KeepWindows.cpp - What later steps read again ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepWindows/KeepWindows.h"

#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"
#include "compiler/Transforms/KeepWindows/Window.h"
#include "compiler/Transforms/UnrollLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

/// The number of operations that inner loops may become.
constexpr unsigned mostUnrolled = 4096;

namespace {

/// Puts a window into registers.
class WindowKeeping {
public:
  WindowKeeping(scf::ForOp loop, const Window &window)
      : loop(loop), window(window), sources(window.sources()), rewriter(loop) {
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
  SmallVector<Value> handOut(Block *body);

  scf::ForOp loop;
  const Window &window;
  SmallVector<LLVM::LoadOp> sources;
  IRRewriter rewriter;
  unsigned mostSteps = 0;
  llvm::DenseMap<Operation *, Value> current; ///< what a source has in this step
  SmallVector<Value> none; ///< for each source, and whether the code has run: that it has not
  /// The values of each source one, two, ... steps ago, then whether the code ran one, two, ...
  /// steps ago.
  SmallVector<Value> inits;
};

void WindowKeeping::createInits() {
  Location location = loop.getLoc();
  for (LLVM::LoadOp source : sources) {
    none.push_back(rewriter.create<LLVM::PoisonOp>(location, source.getType()));
    inits.append(window.stepsOf(source), none.back());
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

/// Replaces the loads of what was read `steps` steps ago.
void WindowKeeping::readWindow(unsigned steps, ArrayRef<BlockArgument> carried) {
  SmallVector<Reread> rereads;
  SmallVector<Type> types;
  for (const Reread &reread : window.rereads)
    if (reread.steps == steps) {
      rereads.push_back(reread);
      types.push_back(rereads.back().load.getType());
    }
  if (rereads.empty())
    return;
  Value ran = carried[inits.size() - mostSteps + steps - 1];
  Location location = rereads.front().load.getLoc();
  auto choice = rewriter.create<scf::IfOp>(location, types, ran, /*addThenBlock=*/true,
                                           /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> kept, loaded;
  rewriter.setInsertionPointToStart(choice.elseBlock());
  for (Reread &reread : rereads) {
    kept.push_back(before(reread.source, steps, carried));
    loaded.push_back(rewriter.clone(*reread.load)->getResult(0));
  }
  rewriter.create<scf::YieldOp>(location, loaded);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  rewriter.create<scf::YieldOp>(location, kept);
  for (auto [reread, value] : llvm::zip_equal(rereads, choice.getResults())) {
    if (current.contains(reread.load))
      current[reread.load] = value;
    rewriter.replaceAllUsesWith(reread.load.getResult(), value);
  }
}

/// Gives the condition around a region further results: `values` of that region, and `others` if
/// it does not run.
scf::IfOp addResults(RewriterBase &rewriter, Region *from, ValueRange values, ValueRange others) {
  auto branch = cast<scf::IfOp>(from->getParentOp());
  bool isThen = from == &branch.getThenRegion();
  SmallVector<Type> types(branch.getResultTypes());
  llvm::append_range(types, values.getTypes());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(branch);
  auto wider = rewriter.create<scf::IfOp>(branch.getLoc(), types, branch.getCondition());
  wider->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  bool hasElse = !branch.getElseRegion().empty();
  wider.getThenRegion().takeBody(branch.getThenRegion());
  wider.getElseRegion().takeBody(branch.getElseRegion());
  if (!hasElse) {
    rewriter.createBlock(&wider.getElseRegion());
    rewriter.create<scf::YieldOp>(branch.getLoc());
  }
  auto yield = [](Block *block, ValueRange more) {
    Operation *terminator = block->getTerminator();
    terminator->insertOperands(terminator->getNumOperands(), more);
  };
  yield(wider.thenBlock(), isThen ? values : others);
  yield(wider.elseBlock(), isThen ? others : values);
  rewriter.replaceOp(branch, wider.getResults().take_front(branch.getNumResults()));
  return wider;
}

/// Returns what each source has in this step and whether the code runs, as values of the loop's
/// body.
SmallVector<Value> WindowKeeping::handOut(Block *body) {
  SmallVector<Value> values;
  for (LLVM::LoadOp source : sources)
    values.push_back(current[source]);
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
  SmallVector<Value> values = handOut(loop.getBody());
  SmallVector<Value> next;
  size_t position = 0;
  auto shift = [&](Value value, unsigned steps) {
    next.push_back(value);
    llvm::append_range(next, carried.slice(position, steps - 1));
    position += steps;
  };
  for (auto [source, value] : llvm::zip(sources, values))
    shift(value, window.stepsOf(source));
  shift(values.back(), mostSteps);
  for (const Reread &reread : window.rereads)
    rewriter.eraseOp(Reread(reread).load);
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
  return success();
}

} // namespace

static SmallVector<scf::ForOp> loopsOverSteps(grain::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(stepsAttribute))
      loops.push_back(loop);
  });
  return loops;
}

/// Unrolls the loops of known length in which steps load elements. Returns whether there are any.
static bool unrollInSteps(grain::KernelOp kernel) {
  SmallVector<Operation *> inner;
  auto loads = [](Operation *op) {
    return op->walk([](LLVM::LoadOp) { return WalkResult::interrupt(); }).wasInterrupted();
  };
  for (scf::ForOp loop : loopsOverSteps(kernel))
    loop.getBody()->walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op) && loads(op))
        inner.push_back(op);
    });
  unsigned budget = mostUnrolled;
  return llvm::count_if(inner, [&](Operation *op) { return unrollLoop(op, budget).has_value(); });
}

static std::optional<Refusal> keep(grain::KernelOp kernel,
                                   const FrozenRewritePatternSet &patterns) {
  if (unrollInSteps(kernel)) {
    if (failed(cleanUp(kernel, patterns)))
      return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
    forwardMemory(kernel);
  }
  std::optional<Refusal> refusal =
      refuse(kernel, RefusalKind::NothingInWindow, "no blocks run in steps");
  SmallVector<std::pair<scf::ForOp, Window>> windows;
  Accesses accesses(kernel);
  for (scf::ForOp loop : loopsOverSteps(kernel)) {
    std::optional<Refusal> why;
    Window window = WindowSearch(loop, accesses).find(why);
    if (why)
      refusal = why;
    else
      windows.emplace_back(loop, window);
  }
  if (windows.empty())
    return refusal;
  for (auto &[loop, window] : windows)
    if (failed(WindowKeeping(loop, window).run()))
      return refuse(loop, RefusalKind::InvalidResult, "the loop cannot carry further values");
  return std::nullopt;
}

std::optional<Refusal> regrain::keepWindows(grain::KernelOp kernel,
                                            const FrozenRewritePatternSet &patterns) {
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  std::optional<Refusal> refusal = keep(kernel, patterns);
  if (refusal)
    kernel.getBody().takeBody(before->getBody());
  return refusal;
}
