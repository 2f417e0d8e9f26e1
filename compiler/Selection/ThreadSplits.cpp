//===- ThreadSplits.cpp - Grains at which lanes share threads -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/ThreadSplits.h"

#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Transforms/Specialise/Specialise.h"
#include "compiler/Transforms/SplitThreads/SplitThreads.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

static constexpr uint32_t blockSizes[] = {256, 128};

/// Returns the number of loops that a warp can share if the launch is as `known` says.
static unsigned countFor(grain::KernelOp kernel, const KnownLaunch &known, bool mayReorder) {
  if (known.empty())
    return countSharedLoops(kernel, mayReorder);
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  return specialise(*trial, known) ? 0 : countSharedLoops(*trial, mayReorder);
}

std::vector<Grain> regrain::threadSplitsOf(grain::KernelOp kernel, bool reordersSums) {
  std::vector<Grain> possible;
  auto add = [&](const KnownLaunch &known, bool mayReorder) {
    Grain grain = {.words = {{"split", "32"}}, .known = known};
    if (mayReorder)
      grain.words["sums"] = "reassociated";
    for (uint32_t size : blockSizes) {
      grain.shape = Factors{size, 1, 1};
      possible.push_back(grain);
    }
  };
  KnownLaunch apart;
  apart.disjoint = true;
  bool meets = mayMeetInMemory(kernel);
  for (bool mayReorder : {true, false}) {
    if (mayReorder && !reordersSums)
      continue;
    unsigned always = countFor(kernel, {}, mayReorder);
    // What is known of pointers is worth a guard if it lets more loops be shared.
    if (meets && countFor(kernel, apart, mayReorder) > always)
      add(apart, mayReorder);
    if (always)
      add({}, mayReorder);
  }
  return possible;
}
