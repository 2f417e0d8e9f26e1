//===- RaiseLoops.cpp - Counted loops out of lifted loops -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/RaiseLoops.h"

#include "compiler/Analysis/Speculation.h"
#include "compiler/Simplify/Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace {

bool isPoison(Value value) { return value.getDefiningOp<LLVM::PoisonOp>() != nullptr; }

struct FoldSelectOfPoison : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    if (isPoison(op.getFalseValue()))
      rewriter.replaceOp(op, op.getTrueValue());
    else if (isPoison(op.getTrueValue()))
      rewriter.replaceOp(op, op.getFalseValue());
    else
      return failure();
    return success();
  }
};

/// Simplifies an if that yields poison on one side and an outer value on the other.
struct FoldIfOfPoison : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpResult result : op.getResults()) {
      if (result.use_empty())
        continue;
      Value onTrue = op.thenYield().getOperand(result.getResultNumber());
      Value onFalse = op.elseYield().getOperand(result.getResultNumber());
      Value known = isPoison(onTrue) ? onFalse : isPoison(onFalse) ? onTrue : Value();
      if (!known || op->isAncestor(known.getParentBlock()->getParentOp()))
        continue;
      rewriter.replaceAllUsesWith(result, known);
      changed = true;
    }
    return success(changed);
  }
};

/// Hoists invariant code. The loop may not run at all, so only operations that may run anywhere are
/// moved.
void hoistInvariantCode(Operation *root) {
  root->walk([](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
        [](Operation *op, Region *) { return regrain::mayRunAnywhere(op); },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
}

/// Returns the rewrites of cleanUp. They include MLIR's own for loops and regions, which replace a
/// loop that runs once by its body.
FrozenRewritePatternSet cleanUpRewrites(MLIRContext *context) {
  RewritePatternSet rewrites(context);
  regrain::populateSimplifications(rewrites);
  scf::ForOp::getCanonicalizationPatterns(rewrites, context);
  scf::ExecuteRegionOp::getCanonicalizationPatterns(rewrites, context);
  return rewrites;
}

/// Applies clean-ups that do not undo the structure. Merging blocks would turn constant operands of
/// parked instructions into block arguments.
LogicalResult cleanUp(Operation *root, const FrozenRewritePatternSet &rewrites) {
  GreedyRewriteConfig config;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Normal;
  if (failed(regrain::simplify(root, rewrites, config)))
    return failure();
  hoistInvariantCode(root);
  return success();
}

} // namespace

void regrain::populateFoldPoison(RewritePatternSet &patterns) {
  patterns.add<FoldSelectOfPoison, FoldIfOfPoison>(patterns.getContext());
}

LogicalResult regrain::raiseLoops(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  populateFoldPoison(patterns);
  populateUnrotateWhile(patterns);
  populateWhileToFor(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  FrozenRewritePatternSet simplifications = cleanUpRewrites(root->getContext());
  GreedyRewriteConfig config;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
  // Each round can raise one more level of a loop nest.
  constexpr unsigned maxRounds = 6;
  bool changed = true;
  for (unsigned round = 0; round < maxRounds && changed; ++round) {
    if (failed(cleanUp(root, simplifications)))
      return failure();
    if (failed(applyPatternsAndFoldGreedily(root->getRegion(0), frozen, config, &changed)))
      return root->emitError("the rewriting of its loops does not converge");
  }
  return cleanUp(root, simplifications);
}
