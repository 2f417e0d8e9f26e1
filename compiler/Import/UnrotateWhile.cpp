//===- UnrotateWhile.cpp - do-while to while ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/RaiseLoops.h"

#include "compiler/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

bool isNot(Value value, Value of) {
  auto xorOp = value.getDefiningOp<arith::XOrIOp>();
  return xorOp && xorOp.getLhs() == of && matchPattern(xorOp.getRhs(), m_One());
}

/// Returns whether two conditions are each other's negation.
bool areOpposite(Value a, Value b) {
  auto first = a.getDefiningOp<arith::CmpIOp>(), second = b.getDefiningOp<arith::CmpIOp>();
  if (first && second && first.getLhs() == second.getLhs() && first.getRhs() == second.getRhs() &&
      arith::invertPredicate(first.getPredicate()) == second.getPredicate())
    return true;
  return isNot(a, b) || isNot(b, a);
}

/// A loop whose last operation before the condition is the if that contains its body: `again` is
/// the region that runs when the loop goes on.
struct Rotated {
  scf::IfOp branch;
  Region *again = nullptr;
  Region *exit = nullptr;
};

/// Returns whether `op` can be moved before `point` in the same block.
bool canMoveBefore(Operation *op, Operation *point) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return !definition || definition->getBlock() != point->getBlock() ||
           definition->isBeforeInBlock(point);
  });
}

FailureOr<Rotated> findRotated(scf::WhileOp loop) {
  if (!llvm::hasSingleElement(*loop.getAfterBody()))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  Value again = condition.getCondition();
  Operation *last = condition->getPrevNode();
  // An inverted condition may stand between the if and the scf.condition.
  if (last && last == again.getDefiningOp() && isPure(last))
    last = last->getPrevNode();
  auto branch = dyn_cast_or_null<scf::IfOp>(last);
  if (!branch)
    return failure();
  if (Operation *definition = again.getDefiningOp(); definition &&
                                                     definition->getBlock() == branch->getBlock() &&
                                                     !canMoveBefore(definition, branch))
    return failure();

  Rotated result{branch, &branch.getThenRegion(), &branch.getElseRegion()};
  if (branch.getCondition() != again) {
    if (!areOpposite(branch.getCondition(), again) || branch.getElseRegion().empty())
      return failure();
    std::swap(result.again, result.exit);
  }
  // What the exit computes will be computed in every iteration.
  if (!result.exit->empty())
    for (Operation &op : result.exit->front().without_terminator())
      if (!regrain::mayRunAnywhere(&op))
        return failure();
  return result;
}

/// The values that leave the loop's first region in either direction.
struct Leaving {
  SmallVector<Value> onExit;  ///< results of the loop
  SmallVector<Value> onAgain; ///< values with which the next iteration starts
};

Leaving splitCondition(scf::ConditionOp condition, const Rotated &rotated) {
  Leaving leaving;
  for (Value value : condition.getArgs()) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || result.getOwner() != rotated.branch) {
      leaving.onExit.push_back(value);
      leaving.onAgain.push_back(value);
      continue;
    }
    unsigned index = result.getResultNumber();
    leaving.onExit.push_back(rotated.exit->front().getTerminator()->getOperand(index));
    leaving.onAgain.push_back(rotated.again->front().getTerminator()->getOperand(index));
  }
  return leaving;
}

struct UnrotateWhile : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    FailureOr<Rotated> rotated = findRotated(loop);
    if (failed(rotated))
      return failure();
    scf::ConditionOp condition = loop.getConditionOp();
    Block *header = loop.getBeforeBody();
    Value again = condition.getCondition();
    scf::IfOp branch = rotated->branch;
    if (Operation *definition = again.getDefiningOp();
        definition && definition->getBlock() == header && branch->isBeforeInBlock(definition))
      rewriter.moveOpBefore(definition, branch);
    Leaving leaving = splitCondition(condition, *rotated);
    if (!rotated->exit->empty())
      for (Operation &op : llvm::make_early_inc_range(rotated->exit->front().without_terminator()))
        rewriter.moveOpBefore(&op, branch);

    SetVector<Value> needed = neededFromHeader(header, *rotated, leaving);
    SmallVector<Value> forwarded(leaving.onExit);
    llvm::append_range(forwarded, needed);
    auto result = rewriter.create<scf::WhileOp>(loop.getLoc(), TypeRange(ValueRange(forwarded)),
                                                loop.getInits());
    buildBody(result, loop, *rotated, leaving, needed, rewriter);
    rewriter.setInsertionPoint(condition);
    rewriter.create<scf::ConditionOp>(loop.getLoc(), again, forwarded);
    rewriter.eraseOp(condition);
    rewriter.eraseOp(branch);
    rewriter.inlineRegionBefore(loop.getBefore(), result.getBefore(), result.getBefore().end());
    rewriter.replaceOp(loop, result.getResults().take_front(leaving.onExit.size()));
    return success();
  }

private:
  /// Returns the values of the header that the body or the next iteration uses.
  static SetVector<Value> neededFromHeader(Block *header, const Rotated &rotated,
                                           const Leaving &leaving) {
    SetVector<Value> needed;
    auto add = [&](Value value) {
      if (value.getParentBlock() == header)
        needed.insert(value);
    };
    rotated.again->walk([&](Operation *op) { llvm::for_each(op->getOperands(), add); });
    llvm::for_each(leaving.onAgain, add);
    return needed;
  }

  static void buildBody(scf::WhileOp result, scf::WhileOp loop, const Rotated &rotated,
                        const Leaving &leaving, const SetVector<Value> &needed,
                        PatternRewriter &rewriter) {
    SmallVector<Location> locations(result.getNumResults(), loop.getLoc());
    Block *body = rewriter.createBlock(&result.getAfter(), {}, result.getResultTypes(), locations);
    SmallVector<Value> next;
    for (Value value : loop.getYieldOp().getOperands()) {
      auto argument = dyn_cast<BlockArgument>(value);
      bool forwarded = argument && argument.getOwner() == loop.getAfterBody();
      next.push_back(forwarded ? leaving.onAgain[argument.getArgNumber()] : value);
    }
    auto yield = rewriter.create<scf::YieldOp>(loop.getLoc(), next);
    for (Operation &op : llvm::make_early_inc_range(rotated.again->front().without_terminator()))
      rewriter.moveOpBefore(&op, yield);
    unsigned results = leaving.onExit.size();
    for (auto [index, value] : llvm::enumerate(needed))
      rewriter.replaceUsesWithIf(value, body->getArgument(results + index), [&](OpOperand &use) {
        return result.getAfter().isAncestor(use.getOwner()->getParentRegion());
      });
  }
};

} // namespace

void regrain::populateUnrotateWhile(RewritePatternSet &patterns) {
  patterns.add<UnrotateWhile>(patterns.getContext());
}
