//===- CleanUp.cpp - Fold, drop and merge ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/CleanUp.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace regrain;

/// These patterns are not applied. A multi-block execute_region is the form of unstructured
/// control. Inlining a loop that runs once would give its hint to the loop around it. An inner
/// condition may be poison where the outer one does not hold, and then their conjunction would be
/// poison, too.
static const std::string disabledPatterns[] = {
    "MultiBlockExecuteInliner", "(anonymous namespace)::MultiBlockExecuteInliner",
    "(anonymous namespace)::SimplifyTrivialLoops", "(anonymous namespace)::CombineNestedIfs"};

FrozenRewritePatternSet regrain::cleanUpPatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  return FrozenRewritePatternSet(std::move(patterns), disabledPatterns);
}

LogicalResult regrain::cleanUp(grain::KernelOp kernel, const FrozenRewritePatternSet &patterns) {
  if (failed(applyPatternsAndFoldGreedily(kernel, patterns)))
    return kernel.emitError("clean-up does not come to an end");
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  return success();
}
