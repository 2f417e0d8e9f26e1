//===- ApplyGrain.cpp - A kernel at another grain -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ApplyGrain.h"

#include "compiler/Dialect/Grain/Parameters.h"
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/CoarsenThreads/CoarsenThreads.h"
#include "compiler/Transforms/DemoteShared/DemoteShared.h"
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"
#include "compiler/Transforms/FuseBlocks/FuseBlocks.h"
#include "compiler/Transforms/PrivatiseShared/PrivatiseShared.h"
#include "compiler/Transforms/PromoteInLoops/PromoteInLoops.h"
#include "compiler/Transforms/RemoveBarriers/RemoveBarriers.h"
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"
#include "compiler/Transforms/Specialise/Specialise.h"
#include "compiler/Transforms/StreamStores/StreamStores.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace regrain;

/// Multi-block execute_region is the form of unstructured control; inlining a loop
/// that runs once would give its hint to the loop around it; an inner condition may
/// be poison where the outer one does not hold, and so would their conjunction be.
static const std::string disabledPatterns[] = {
    "MultiBlockExecuteInliner", "(anonymous namespace)::MultiBlockExecuteInliner",
    "(anonymous namespace)::SimplifyTrivialLoops", "(anonymous namespace)::CombineNestedIfs"};

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

void regrain::optimiseParallel(grain::KernelOp kernel) {
  privatiseShared(kernel);
  removeBarriers(kernel);
  forwardMemory(kernel);
  promoteInLoops(kernel);
}

static grain::BlocksOp blocksOf(grain::KernelOp kernel) {
  return *kernel.getBody().getOps<grain::BlocksOp>().begin();
}

/// Where the launched block is known, so is whether its warps are whole.
static LogicalResult checkWarps(grain::BlocksOp blocks, Refusal &refusal) {
  constexpr int32_t warpThreads = 32;
  grain::ThreadsOp threads = threadsOf(blocks);
  auto block = blocks.getKnownBlock();
  if (!threads.getWholeWarps() || !block ||
      ((*block)[0] % warpThreads == 0 && *threads.getKnownIterations(0) % warpThreads == 0))
    return success();
  return refuse(refusal, threads, RefusalKind::PartialWarps,
                "the grain needs blocks whose width is a multiple of 32");
}

/// The steps after specialisation. What they made is dropped where one fails.
static LogicalResult regrainBlocks(grain::BlocksOp blocks, const Grain &grain, Refusal &refusal) {
  if (grain.shape && failed(reshapeBlocks(blocks, *grain.shape, refusal)))
    return failure();
  Edge edge = grain.remainder ? Edge::Apart : Edge::Inside;
  Distribution distribution = grain.contiguous ? Distribution::Contiguous : Distribution::Strided;
  return success(succeeded(fuseBlocks(blocks, grain.fuse, refusal)) &&
                 succeeded(coarsenBlocks(blocks, grain.block, edge, refusal)) &&
                 succeeded(coarsenThreads(blocks, grain.thread, distribution, refusal)) &&
                 succeeded(checkWarps(blocks, refusal)));
}

/// Whether the grain can be asked of the kernel at all.
static LogicalResult checkGrain(grain::KernelOp kernel, const Grain &grain, Refusal &refusal) {
  refusal.stage = "apply-grain";
  if (kernel.getBody().getOps<grain::BlocksOp>().empty())
    return refuse(refusal, kernel, RefusalKind::AlreadyExpanded,
                  "the kernel has been expanded into alternatives");
  if (std::string wrong = findContradiction(grain); !wrong.empty())
    return refuse(refusal, kernel, RefusalKind::Contradiction, wrong);
  return success();
}

/// What is launched is no longer what the program's grid scales to, but a part of
/// it. Sizes have been folded.
static void forgetGrid(grain::KernelOp kernel) { blocksOf(kernel).removeKnownGridAttr(); }

/// The steps of a grain that are of no loop.
static LogicalResult finish(grain::KernelOp kernel, const Grain &grain, Refusal &refusal) {
  if (grain.bound)
    threadsOf(blocksOf(kernel)).setBound(grain.bound);
  if (grain.remainder)
    forgetGrid(kernel);
  if (grain.nontemporal && failed(streamStores(kernel, refusal)))
    return failure();
  return success(!grain.takesScratch() || succeeded(demoteShared(kernel, refusal)));
}

/// A launch at the grain passes more than the program's does: `appended`.
static LogicalResult checkParameters(grain::KernelOp kernel, ArrayRef<Type> appended,
                                     Refusal &refusal) {
  refusal.stage = "apply-grain";
  if (appended.empty())
    return success();
  bool isPortable = grain::parameterBytes(kernel) <= grain::portableParameterBytes;
  uint64_t limit = isPortable ? grain::portableParameterBytes : grain::mostParameterBytes;
  uint64_t bytes = grain::parameterBytes(kernel, appended);
  if (bytes <= limit)
    return success();
  return refuse(refusal, kernel, RefusalKind::ParameterLimit,
                ("with what the grain adds the kernel has " + llvm::Twine(bytes) +
                 " bytes of parameters, of which a launch takes " + llvm::Twine(limit))
                    .str());
}

/// What is known of parameters follows from the body.
static void take(grain::KernelOp kernel, grain::KernelOp trial) {
  if (ArrayAttr attributes = trial.getAllArgAttrs())
    kernel.setAllArgAttrs(attributes);
  kernel.getBody().takeBody(trial.getBody());
}

LogicalResult regrain::applyGrain(grain::KernelOp kernel, const Grain &grain,
                                  SmallVectorImpl<Refusal> *refusals) {
  Refusal refusal;
  auto refused = [&] {
    if (refusals)
      refusals->push_back(refusal);
    return failure();
  };
  if (failed(checkGrain(kernel, grain, refusal)))
    return refused();
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  if (failed(specialise(*trial, grain.known, refusal)))
    return refused();
  // What is known decides conditions that would forbid what follows.
  if (!grain.known.empty() && failed(cleanUp(*trial)))
    return failure();
  if (failed(regrainBlocks(blocksOf(*trial), grain, refusal)))
    return refused();
  if (failed(cleanUp(*trial)))
    return failure();
  if (!grain.isOriginal()) {
    // Addresses have been merged: what the copies share is seen as one.
    optimiseParallel(*trial);
    if (failed(finish(*trial, grain, refusal)) ||
        failed(checkParameters(*trial, grain::appendedParameters(blocksOf(*trial)), refusal)))
      return refused();
  }
  take(kernel, *trial);
  return success();
}

LogicalResult regrain::applyToRemainder(grain::KernelOp kernel, const Grain &grain,
                                        SmallVectorImpl<Refusal> *refusals) {
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  if (failed(applyGrain(*trial, grain.ofRemainder(), refusals)))
    return failure();
  forgetGrid(*trial);
  blocksOf(*trial).setRemainder(true);
  Refusal refusal;
  if (failed(checkParameters(*trial, grain::appendedParameters(blocksOf(*trial)), refusal))) {
    if (refusals)
      refusals->push_back(refusal);
    return failure();
  }
  take(kernel, *trial);
  return success();
}
