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

namespace {

/// How many lanes share a thread, in which block.
struct Size {
  const char *lanes;
  uint32_t block;
};

} // namespace

static constexpr Size warps[] = {{"32", 256}, {"32", 128}};
/// All lanes of a group make each addition of an ordered sum. Small groups make those of several
/// threads at once, but there are fewer of them.
static constexpr Size groups[] = {{"16", 256}, {"8", 256}, {"16", 128}};

/// Returns the loops that lanes can share if the launch is as `known` says.
static SharedLoops findFor(grain::KernelOp kernel, const KnownLaunch &known, bool mayReorder) {
  if (known.empty())
    return findSharedLoops(kernel, mayReorder);
  OwningOpRef<grain::KernelOp> trial = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  return specialise(*trial, known) ? SharedLoops() : findSharedLoops(*trial, mayReorder);
}

static void add(const KnownLaunch &known, bool mayReorder, llvm::ArrayRef<Size> sizes,
                std::vector<Grain> &possible) {
  for (const Size &size : sizes) {
    Grain grain = {.words = {{"split", size.lanes}}, .known = known};
    if (mayReorder)
      grain.words["sums"] = "reassociated";
    grain.shape = Factors{size.block, 1, 1};
    possible.push_back(grain);
  }
}

std::vector<Grain> regrain::threadSplitsOf(grain::KernelOp kernel, bool reordersSums) {
  std::vector<Grain> possible;
  KnownLaunch apart;
  apart.disjoint = true;
  bool meets = mayMeetInMemory(kernel);
  for (bool mayReorder : {true, false}) {
    if (mayReorder && !reordersSums)
      continue;
    SharedLoops always = findFor(kernel, {}, mayReorder);
    SharedLoops ofApart = meets ? findFor(kernel, apart, mayReorder) : SharedLoops();
    // What is known of pointers is worth a guard if it lets more loops be shared.
    bool isWorthGuard = ofApart.count > always.count;
    const SharedLoops &most = isWorthGuard ? ofApart : always;
    KnownLaunch known = isWorthGuard ? apart : KnownLaunch();
    if (most.count && most.addsInOrder)
      add(known, mayReorder, groups, possible);
    if (most.count)
      add(known, mayReorder, warps, possible);
    if (isWorthGuard && always.count)
      add({}, mayReorder, warps, possible);
  }
  return possible;
}
