//===- CommonArrays.cpp - Arrays that serve all joined blocks -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/BlockCoarsening.h"
#include "compiler/Transforms/CoarsenBlocks/FilledAlike.h"

using namespace mlir;
using namespace regrain;

/// Finds the allocations that serve all joined blocks.
std::optional<Refusal> BlockCoarsening::findCommon() {
  if (order != Order::InLoop)
    common = findFilledAlike(old, varying);
  if (sharedCopies == SharedCopies::Own)
    return std::nullopt;
  bool reassociate = sharedCopies == SharedCopies::CommonSums;
  if (auto refusal = findAccumulators(old, varying, common, reassociate, accumulators))
    return refusal;
  SmallVector<LLVM::StoreOp> stores;
  for (Operation *allocation : common)
    if (failed(collectStores(allocation->getResult(0), stores)))
      llvm_unreachable("memory that is filled alike is only loaded from and stored to");
  accumulators.outside.insert(stores.begin(), stores.end());
  common.insert(accumulators.arrays.begin(), accumulators.arrays.end());
  return std::nullopt;
}

/// Lets what clears and flushes common arrays run once, if it can be told from what the blocks do.
/// Interleaved blocks do without that, since what is the same for all of them is kept once.
std::optional<Refusal> BlockCoarsening::takePhases(const Copies &copies) {
  if (accumulators.arrays.empty() || !guards.branches.empty())
    return std::nullopt;
  SmallVector<Operation *> ops = besideThreads;
  llvm::append_range(ops, body);
  std::optional<Phases> found =
      findPhases(ops, accumulators, [&](Operation *op) { return isOwnOfCopies(op, copies); });
  if (!found && order == Order::InLoop)
    return refuse(*accumulators.updates.begin(), RefusalKind::NothingAccumulated,
                  "a step cannot update a shared array without clearing or flushing it");
  if (!found)
    return std::nullopt;
  phases = std::move(*found);
  body = phases.during;
  usesShared = llvm::any_of(old.getBody().front(), [&](Operation &op) {
    return isa<grain::SharedOp, grain::DynamicSharedOp>(op) && !accumulators.arrays.contains(&op);
  });
  return std::nullopt;
}

/// Runs what all blocks have in common before they begin.
void BlockCoarsening::runBefore() {
  for (Operation *op : phases.before) {
    if (op->getNumResults() != 0 && mappings[0].contains(op->getResult(0)))
      continue;
    Operation *once = builder.clone(*op, mappings[0]);
    for (IRMapping &mapping : llvm::drop_begin(mappings))
      mapping.map(op->getResults(), once->getResults());
    ofPhases.map(op->getResults(), once->getResults());
  }
  afterwards = mappings[0];
}

void BlockCoarsening::runAfter() {
  for (Operation *op : phases.after)
    if (op->getNumResults() == 0 || !afterwards.contains(op->getResult(0)))
      builder.clone(*op, afterwards);
}
