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

/// Finds the allocations that serve the blocks of a row, a column or a stack of joined blocks.
void BlockCoarsening::findAlike() {
  if (llvm::count_if(factors, [](uint32_t factor) { return factor != 1; }) < 2)
    return;
  for (unsigned d = 0; d < 3; ++d) {
    Factors along = {1, 1, 1};
    along[d] = factors[d];
    if (along[d] != 1)
      alike[d] = findFilledAlike(old, varyingIn(along, Dependence::BlockX), varying);
  }
}

/// Returns the number of the joined block whose allocation serves that of number `copy`: the first
/// one of those that fill it alike.
size_t BlockCoarsening::ownerOf(Operation *allocation, size_t copy) const {
  Factors owner = iterations[copy];
  for (unsigned d = 0; d < 3; ++d)
    if (alike[d].contains(allocation))
      owner[d] = 0;
  return common.contains(allocation) ? 0 : llvm::find(iterations, owner) - iterations.begin();
}

/// Finds the allocations that serve all joined blocks.
std::optional<Refusal> BlockCoarsening::findCommon() {
  if (order != Order::InLoop) {
    common = findFilledAlike(old, varying, varying);
    findAlike();
  }
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
