//===- SimplifyRegions.cpp - Rewrites of loops and regions ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/SimplifyRegions.h"

#include "compiler/Simplify/Simplify.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Takes values out of a loop that it only passes on, or that nobody reads: their initial value
/// stands for them.
struct CarryLess : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(loop.getBody()->getNumArguments());
    SmallVector<Value> inits;
    SmallVector<OpResult> kept;
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      if (isIdle(loop, argument)) {
        dropped.set(argument.getArgNumber());
        continue;
      }
      inits.push_back(loop.getTiedLoopInit(argument)->get());
      kept.push_back(loop.getTiedLoopResult(argument));
    }
    if (dropped.none())
      return failure();
    for (unsigned index : dropped.set_bits()) {
      BlockArgument argument = loop.getBody()->getArgument(index);
      Value init = loop.getTiedLoopInit(argument)->get();
      rewriter.replaceAllUsesWith(argument, init);
      rewriter.replaceAllUsesWith(loop.getTiedLoopResult(argument), init);
    }
    auto lean = rewriter.create<scf::ForOp>(loop.getLoc(), loop.getLowerBound(),
                                            loop.getUpperBound(), loop.getStep(), inits);
    lean->setAttrs(loop->getAttrs());
    takeBody(rewriter, lean, loop, dropped);
    for (auto [before, after] : llvm::zip_equal(kept, lean.getResults()))
      rewriter.replaceAllUsesWith(before, after);
    rewriter.eraseOp(loop);
    return success();
  }

private:
  static bool isIdle(scf::ForOp loop, BlockArgument argument) {
    Value next = loop.getTiedLoopYieldedValue(argument)->get();
    return next == argument ||
           (argument.use_empty() && (next == loop.getTiedLoopInit(argument)->get() ||
                                     loop.getTiedLoopResult(argument).use_empty()));
  }

  /// Moves the body of `loop` into `lean`, without the arguments `dropped`.
  static void takeBody(PatternRewriter &rewriter, scf::ForOp lean, scf::ForOp loop,
                       const llvm::BitVector &dropped) {
    rewriter.eraseBlock(lean.getBody());
    rewriter.inlineRegionBefore(loop.getRegion(), lean.getRegion(), lean.getRegion().end());
    Block *body = lean.getBody();
    // No value is yielded for the first argument, which counts.
    llvm::BitVector operands = dropped;
    operands >>= 1;
    operands.resize(dropped.size() - 1);
    rewriter.modifyOpInPlace(body->getTerminator(),
                             [&] { body->getTerminator()->eraseOperands(operands); });
    body->eraseArguments(dropped);
  }
};

/// Replaces a region that is one block by its operations.
struct InlineBlock : OpRewritePattern<scf::ExecuteRegionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ExecuteRegionOp op, PatternRewriter &rewriter) const override {
    if (!op.getRegion().hasOneBlock())
      return failure();
    replaceByBlock(rewriter, op, op.getRegion().front());
    return success();
  }
};

} // namespace

void regrain::populateSimplifyRegions(RewritePatternSet &patterns) {
  patterns.add<CarryLess, InlineBlock>(patterns.getContext());
}
