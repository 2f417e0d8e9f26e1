//===- ThreadSummary.cpp - What a kernel's threads are to each other ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ThreadSummary.h"

#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/Waiting.h"

using namespace mlir;
using namespace regrain;

ThreadSummary::ThreadSummary(grain::KernelOp kernel) : kernel(kernel) {
  auto keepFirst = [](Operation *&first, Operation *op, bool holds) {
    if (holds && !first)
      first = op;
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Interaction interaction = interactionOf(op);
    keepFirst(tellsApart, op,
              interaction.tellsApart || interaction.convergence != Convergence::None);
    keepFirst(ofWarp, op, interaction.convergence != Convergence::None);
    keepFirst(ofBlock, op, interaction.isOfBlock);
    keepFirst(unknown, op, interaction.convergence == Convergence::Unknown);
  });
}

Operation *ThreadSummary::findWait() {
  if (!wait) {
    Accesses accesses(kernel);
    wait = regrain::findWait(kernel, accesses);
  }
  return *wait;
}

Operation *ThreadSummary::findWaitForOutside() {
  if (!findWait())
    return nullptr;
  Accesses accesses(kernel);
  return regrain::findWait(kernel, accesses, Awaited::OutsideLaunch);
}
