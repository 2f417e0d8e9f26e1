//===- ApplyGrain.cpp - A kernel at another grain -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ApplyGrain.h"

#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/CoarsenThreads/CoarsenThreads.h"
#include "compiler/Transforms/FuseBlocks/FuseBlocks.h"
#include "compiler/Transforms/PromoteInLoops/PromoteInLoops.h"
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace regrain;

/// Multi-block execute_region is the form of unstructured control, and inlining
/// a loop that runs once would give its hint to the loop around it.
static const std::string disabledPatterns[] = {"MultiBlockExecuteInliner",
                                               "(anonymous namespace)::MultiBlockExecuteInliner",
                                               "(anonymous namespace)::SimplifyTrivialLoops"};

LogicalResult regrain::cleanUp(grain::KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  FrozenRewritePatternSet frozen(std::move(patterns), disabledPatterns);
  if (failed(applyPatternsAndFoldGreedily(kernel, frozen)))
    return kernel.emitError("clean-up does not come to an end");
  IRRewriter rewriter(context);
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  return success();
}

LogicalResult regrain::applyGrain(grain::KernelOp kernel, const Grain &grain,
                                  SmallVectorImpl<Refusal> *refusals) {
  Refusal refusal;
  auto recorded = [&](LogicalResult result) {
    if (failed(result) && refusals)
      refusals->push_back(refusal);
    return result;
  };
  auto nests = kernel.getBody().getOps<grain::BlocksOp>();
  if (nests.empty()) {
    refusal.stage = "apply-grain";
    return recorded(refuse(refusal, kernel, RefusalKind::AlreadyExpanded,
                           "the kernel has been expanded into alternatives"));
  }
  if (grain.remainder || !grain.known.empty()) {
    refusal.stage = "apply-grain";
    return recorded(refuse(refusal, kernel, RefusalKind::NotImplemented,
                           grain.remainder
                               ? "a launch of its own for the remainder is not supported"
                               : "what is known of a launch is not used yet"));
  }
  grain::BlocksOp blocks = *nests.begin();
  LogicalResult result = tryOn(blocks, [&](grain::BlocksOp &clone) {
    if (grain.shape && failed(reshapeBlocks(clone, *grain.shape, refusal)))
      return failure();
    Distribution distribution = grain.contiguous ? Distribution::Contiguous : Distribution::Strided;
    return success(succeeded(fuseBlocks(clone, grain.fuse, refusal)) &&
                   succeeded(coarsenBlocks(clone, grain.block, refusal)) &&
                   succeeded(coarsenThreads(clone, grain.thread, distribution, refusal)));
  });
  if (failed(recorded(result)) || failed(cleanUp(kernel)))
    return failure();
  // Addresses have been merged: what the copies share is seen as one.
  if (!grain.isOriginal())
    promoteInLoops(kernel);
  return success();
}
