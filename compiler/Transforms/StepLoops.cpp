//===- StepLoops.cpp - Loops over the steps of a launched block -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StepLoops.h"

#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"
#include "compiler/Transforms/UnrollLoops.h"

using namespace mlir;
using namespace regrain;

/// The number of operations that inner loops may become.
static constexpr unsigned mostUnrolled = 4096;

SmallVector<scf::ForOp> regrain::loopsOverSteps(grain::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(stepsAttribute))
      loops.push_back(loop);
  });
  return loops;
}

LogicalResult regrain::unrollInSteps(grain::KernelOp kernel,
                                     const FrozenRewritePatternSet &patterns) {
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
  if (llvm::count_if(inner, [&](Operation *op) { return unrollLoop(op, budget).has_value(); }) == 0)
    return success();
  if (failed(cleanUp(kernel, patterns)))
    return failure();
  forwardMemory(kernel);
  return success();
}
