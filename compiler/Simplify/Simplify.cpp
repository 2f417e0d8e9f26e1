//===- Simplify.cpp - Rewrites that keep the form of control --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Simplify/Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace regrain;

template <typename... Ops> static void addRewritesOf(RewritePatternSet &patterns) {
  (Ops::getCanonicalizationPatterns(patterns, patterns.getContext()), ...);
}

void regrain::populateSimplifications(RewritePatternSet &patterns) {
  addRewritesOf<arith::AddIOp, arith::AddUIExtendedOp, arith::AndIOp, arith::BitcastOp,
                arith::CmpFOp, arith::CmpIOp, arith::DivFOp, arith::ExtSIOp, arith::IndexCastOp,
                arith::IndexCastUIOp, arith::MulFOp, arith::MulIOp, arith::MulSIExtendedOp,
                arith::MulUIExtendedOp, arith::OrIOp, arith::SelectOp, arith::SubIOp,
                arith::TruncIOp, arith::XOrIOp>(patterns);
  addRewritesOf<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>(patterns);
  addRewritesOf<scf::IndexSwitchOp, scf::WhileOp>(patterns);
  populateSimplifyIf(patterns);
}

LogicalResult regrain::simplify(Operation *root, const FrozenRewritePatternSet &rewrites,
                                const GreedyRewriteConfig &config) {
  if (failed(applyPatternsAndFoldGreedily(root, rewrites, config)))
    return root->emitError("the simplification of the kernel does not converge");
  IRRewriter rewriter(root->getContext());
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
  return success();
}

void regrain::replaceByBlock(PatternRewriter &rewriter, Operation *op, Block &block,
                             ValueRange arguments) {
  Operation *yield = block.getTerminator();
  rewriter.inlineBlockBefore(&block, op, arguments);
  rewriter.replaceOp(op, yield->getOperands());
  rewriter.eraseOp(yield);
}
