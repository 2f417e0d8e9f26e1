//===- CarryResults.cpp - What is computed of a window early --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepWindows/CarryResults.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace regrain;

scf::IfOp regrain::addResults(RewriterBase &rewriter, Region *from, ValueRange values,
                              ValueRange others) {
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

namespace {

/// Moves the operations of one window that have all operands a step early.
class EarlyResults {
public:
  EarlyResults(scf::ForOp &loop, unsigned ran) : loop(loop), ran(ran), rewriter(loop) {}

  /// Returns whether something was moved, or failure if the loop cannot carry it.
  FailureOr<bool> run();

private:
  bool findWindow();
  bool isOfWindow(Value value) const { return value.getDefiningOp() == window; }
  bool isEarly(Operation &op) const;
  void findEarly();
  bool isNeededLate(Value value) const;
  bool isWorth();
  std::optional<unsigned> carriedPosition(unsigned result);
  OpOperand &handedOut(scf::IfOp branch, Value result);
  Value nextOf(unsigned position);
  void forget(unsigned position);
  void createEarly(ValueRange carried);
  SmallVector<Value> createNext();
  SmallVector<Value> change(ArrayRef<BlockArgument> carried);

  scf::ForOp &loop;
  unsigned ran; ///< the position of the flag among what the loop carries
  IRRewriter rewriter;
  scf::IfOp window; ///< yields what was carried, or what is loaded in its place
  llvm::SetVector<Operation *> early;
  SmallVector<Value> results; ///< of early operations, that others need
};

/// Finds the condition that chooses between what is carried and what is loaded.
bool EarlyResults::findWindow() {
  loop.getBody()->walk([&](scf::IfOp branch) {
    bool isWindow = branch.getCondition() == loop.getRegionIterArg(ran) &&
                    branch.getNumResults() != 0 &&
                    llvm::hasSingleElement(branch.thenBlock()->getOperations());
    if (isWindow)
      window = branch;
    return isWindow ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!window)
    return false;
  auto results = llvm::seq(0u, window.getNumResults());
  return llvm::all_of(results, [&](unsigned i) { return carriedPosition(i).has_value(); });
}

/// Returns the position, among what the loop carries, of what the window has in one of its results.
std::optional<unsigned> EarlyResults::carriedPosition(unsigned result) {
  auto carried = dyn_cast<BlockArgument>(window.thenYield().getOperand(result));
  if (!carried || carried.getOwner() != loop.getBody() || carried == loop.getInductionVar())
    return std::nullopt;
  return carried.getArgNumber() - loop.getNumInductionVars();
}

/// Returns whether the step before can compute the results.
bool EarlyResults::isEarly(Operation &op) const {
  if (op.getNumRegions() != 0 || !isPure(&op) || op.getNumResults() != 1)
    return false;
  bool ofWindow = false;
  for (Value operand : op.getOperands()) {
    bool isMoved = isOfWindow(operand) || early.contains(operand.getDefiningOp());
    ofWindow |= isMoved;
    if (!isMoved && !loop.isDefinedOutsideOfLoop(operand))
      return false;
  }
  return ofWindow;
}

/// Returns whether the value is needed other than by operations that are moved, in this step or,
/// handed out, in the next one.
bool EarlyResults::isNeededLate(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) { return !early.contains(user); });
}

void EarlyResults::findEarly() {
  for (Operation &op : *window->getBlock())
    if (isEarly(op))
      early.insert(&op);
  for (Operation *op : early)
    if (isNeededLate(op->getResult(0)))
      results.push_back(op->getResult(0));
}

/// Returns whether fewer bits are carried if the results are.
bool EarlyResults::isWorth() {
  auto bitsOf = [](Value value) {
    Type type = value.getType();
    return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  };
  unsigned more = 0, less = 0;
  for (Value result : results)
    more += bitsOf(result);
  for (Value value : window.getResults())
    if (!value.use_empty() && !isNeededLate(value))
      less += bitsOf(value);
  return more < less;
}

/// Returns what the way through the window yields as a result of a condition around it.
OpOperand &EarlyResults::handedOut(scf::IfOp branch, Value result) {
  bool isThen = branch.getThenRegion().isAncestor(window->getParentRegion());
  scf::YieldOp yield = isThen ? branch.thenYield() : branch.elseYield();
  return yield->getOpOperand(cast<OpResult>(result).getResultNumber());
}

/// Returns what a step hands to the next one, as the code of the window has it.
Value EarlyResults::nextOf(unsigned position) {
  Value value = loop.getYieldedValues()[position];
  while (auto branch = value.getDefiningOp<scf::IfOp>()) {
    if (branch == window)
      break;
    value = handedOut(branch, value).get();
  }
  return value;
}

/// Hands out nothing for what no step needs any more.
void EarlyResults::forget(unsigned position) {
  Value nothing = loop.getInitArgs()[position];
  OpOperand *use = &loop.getBody()->getTerminator()->getOpOperand(position);
  while (true) {
    Value value = use->get();
    use->set(nothing);
    auto branch = value.getDefiningOp<scf::IfOp>();
    if (!branch || branch == window || !value.use_empty())
      return;
    use = &handedOut(branch, value);
  }
}

/// Lets the window have the results, too: those carried, or those of what is loaded.
void EarlyResults::createEarly(ValueRange carried) {
  OpBuilder::InsertionGuard guard(rewriter);
  scf::YieldOp loaded = window.elseYield();
  rewriter.setInsertionPoint(loaded);
  IRMapping mapping;
  for (auto [value, own] : llvm::zip_equal(window.getResults(), loaded.getOperands()))
    mapping.map(value, own);
  for (Operation *op : early)
    rewriter.clone(*op, mapping);
  SmallVector<Value> others;
  for (Value result : results)
    others.push_back(mapping.lookup(result));
  unsigned before = window.getNumResults();
  window = addResults(rewriter, &window.getThenRegion(), carried, others);
  for (auto [result, value] : llvm::zip_equal(results, window.getResults().drop_front(before)))
    rewriter.replaceUsesWithIf(result, value,
                               [&](OpOperand &use) { return !early.contains(use.getOwner()); });
}

/// Computes what the next step needs, at the end of the code. Returns it as values there.
SmallVector<Value> EarlyResults::createNext() {
  IRMapping next;
  for (Value value : window.getResults().drop_back(results.size()))
    next.map(value, nextOf(*carriedPosition(cast<OpResult>(value).getResultNumber())));
  rewriter.setInsertionPoint(window->getBlock()->getTerminator());
  SmallVector<Value> values;
  for (Operation *op : early)
    rewriter.clone(*op, next);
  for (Value result : results)
    values.push_back(next.lookup(result));
  return values;
}

SmallVector<Value> EarlyResults::change(ArrayRef<BlockArgument> carried) {
  createEarly(carried);
  SmallVector<Value> values = createNext();
  for (Operation *op : llvm::reverse(early))
    rewriter.eraseOp(op);
  return values;
}

FailureOr<bool> EarlyResults::run() {
  if (!findWindow())
    return false;
  findEarly();
  if (!isWorth())
    return false;
  SmallVector<Value> inits;
  for (Value result : results)
    inits.push_back(rewriter.create<LLVM::PoisonOp>(loop.getLoc(), result.getType()));
  auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    SmallVector<Value> values = change(carried);
    for (Block *block = window->getBlock(); block != loop.getBody();) {
      scf::IfOp wider = addResults(rewriter, block->getParent(), values, inits);
      values = llvm::to_vector_of<Value>(wider.getResults().take_back(values.size()));
      block = wider->getBlock();
    }
    return values;
  };
  FailureOr<LoopLikeOpInterface> carrying = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yields);
  if (failed(carrying))
    return failure();
  loop = cast<scf::ForOp>(carrying->getOperation());
  for (OpResult value : window.getResults())
    if (value.use_empty())
      forget(*carriedPosition(value.getResultNumber()));
  return true;
}

} // namespace

LogicalResult regrain::carryResults(scf::ForOp &loop, unsigned ran) {
  while (true) {
    FailureOr<bool> moved = EarlyResults(loop, ran).run();
    if (failed(moved) || !*moved)
      return moved;
  }
}
