//===- SimplifyIf.cpp - Rewrites of scf.if --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Simplify/Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

bool isInside(Region &region, OpOperand &use) {
  return region.isAncestor(use.getOwner()->getParentRegion());
}

/// Returns whether `value` is `other` with the opposite truth.
bool isNegationOf(Value value, Value other) {
  auto negation = value.getDefiningOp<arith::XOrIOp>();
  return negation && negation.getLhs() == other && matchPattern(negation.getRhs(), m_One());
}

/// Joins an if with the one right in front of it, if the conditions are the same or opposite:
///
///   %a = scf.if %c { A }      %a, %b = scf.if %c { A; B }
///   %b = scf.if %c { B }  =>
struct JoinNeighbours : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp second, PatternRewriter &rewriter) const override {
    auto first = dyn_cast_or_null<scf::IfOp>(second->getPrevNode());
    if (!first)
      return failure();
    Value condition = first.getCondition(), other = second.getCondition();
    bool opposite = isNegationOf(condition, other) || isNegationOf(other, condition);
    if (condition != other && !opposite)
      return failure();
    Block *onTrue = second.thenBlock(), *onFalse = second.elseBlock();
    if (opposite)
      std::swap(onTrue, onFalse);
    SmallVector<Type> types(first.getResultTypes());
    llvm::append_range(types, second.getResultTypes());
    auto joined = rewriter.create<scf::IfOp>(second.getLoc(), types, condition,
                                             /*addThenBlock=*/false, /*addElseBlock=*/false);
    move(rewriter, first, first.getThenRegion(), onTrue, joined.getThenRegion());
    move(rewriter, first, first.getElseRegion(), onFalse, joined.getElseRegion());
    unsigned ofFirst = first.getNumResults();
    rewriter.replaceOp(first, joined.getResults().take_front(ofFirst));
    rewriter.replaceOp(second, joined.getResults().drop_front(ofFirst));
    return success();
  }

private:
  /// Moves a side of `first`, and then that of the second if, into `side`; either may be missing.
  static void move(PatternRewriter &rewriter, scf::IfOp first, Region &ofFirst, Block *ofSecond,
                   Region &side) {
    rewriter.inlineRegionBefore(ofFirst, side, side.end());
    if (!ofSecond)
      return;
    if (side.empty()) {
      rewriter.inlineRegionBefore(*ofSecond->getParent(), side, side.end());
      return;
    }
    Operation *yield = side.front().getTerminator(), *last = ofSecond->getTerminator();
    rewriter.replaceUsesWithIf(first.getResults(), yield->getOperands(), [&](OpOperand &use) {
      return isInside(*ofSecond->getParent(), use);
    });
    SmallVector<Value> yielded(yield->getOperands());
    llvm::append_range(yielded, last->getOperands());
    rewriter.eraseOp(yield);
    rewriter.mergeBlocks(ofSecond, &side.front());
    rewriter.modifyOpInPlace(last, [&] { last->setOperands(yielded); });
  }
};

/// Replaces the condition by true on one side, and by false on the other.
struct KnowCondition : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (matchPattern(op.getCondition(), m_Constant()))
      return failure();
    bool changed = false;
    for (OpOperand &use : llvm::make_early_inc_range(op.getCondition().getUses())) {
      bool isTrue = isInside(op.getThenRegion(), use);
      if (!isTrue && !isInside(op.getElseRegion(), use))
        continue;
      Value known = rewriter.create<arith::ConstantOp>(op.getLoc(), rewriter.getBoolAttr(isTrue));
      rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(known); });
      changed = true;
    }
    return success(changed);
  }
};

/// Keeps the results that are used and computed inside. A value from outside is selected instead:
///
///   %r = scf.if %c { yield %a } else { yield %b }   =>   %r = arith.select %c, %a, %b
struct NarrowResults : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (llvm::all_of(op.getResults(), [&](OpResult result) { return isKept(op, result); }))
      return failure();
    SmallVector<OpResult> kept;
    SmallVector<Value> onTrue, onFalse;
    for (OpResult result : op.getResults()) {
      Value ifTrue = op.thenYield().getOperand(result.getResultNumber());
      Value ifFalse = op.elseYield().getOperand(result.getResultNumber());
      if (isKept(op, result)) {
        kept.push_back(result);
        onTrue.push_back(ifTrue);
        onFalse.push_back(ifFalse);
      } else if (!result.use_empty()) {
        rewriter.replaceAllUsesWith(result, select(rewriter, op, ifTrue, ifFalse));
      }
    }
    auto narrow = rewriter.create<scf::IfOp>(op.getLoc(), ValueRange(onTrue).getTypes(),
                                             op.getCondition(), /*addThenBlock=*/false,
                                             /*addElseBlock=*/false);
    take(rewriter, op.getThenRegion(), onTrue, narrow.getThenRegion());
    take(rewriter, op.getElseRegion(), onFalse, narrow.getElseRegion());
    for (auto [before, after] : llvm::zip_equal(kept, narrow.getResults()))
      rewriter.replaceAllUsesWith(before, after);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static bool isKept(scf::IfOp op, OpResult result) {
    unsigned index = result.getResultNumber();
    return !result.use_empty() &&
           (op.thenYield().getOperand(index).getParentRegion() == &op.getThenRegion() ||
            op.elseYield().getOperand(index).getParentRegion() == &op.getElseRegion());
  }

  static Value select(PatternRewriter &rewriter, scf::IfOp op, Value ifTrue, Value ifFalse) {
    if (ifTrue == ifFalse)
      return ifTrue;
    return rewriter.create<arith::SelectOp>(op.getLoc(), op.getCondition(), ifTrue, ifFalse);
  }

  static void take(PatternRewriter &rewriter, Region &from, ValueRange yielded, Region &to) {
    rewriter.inlineRegionBefore(from, to, to.end());
    Operation *yield = to.front().getTerminator();
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  }
};

struct DropEmptyElse : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() || !op.elseBlock() || !llvm::hasSingleElement(*op.elseBlock()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { rewriter.eraseBlock(op.elseBlock()); });
    return success();
  }
};

/// Replaces an if whose condition is constant by the side that runs.
struct Decide : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    BoolAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)))
      return failure();
    if (Block *side = condition.getValue() ? op.thenBlock() : op.elseBlock())
      replaceByBlock(rewriter, op, *side);
    else
      rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void regrain::populateSimplifyIf(RewritePatternSet &patterns) {
  patterns.add<JoinNeighbours, KnowCondition, NarrowResults, DropEmptyElse, Decide>(
      patterns.getContext());
}
