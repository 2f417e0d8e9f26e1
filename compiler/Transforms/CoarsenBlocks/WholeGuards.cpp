//===- WholeGuards.cpp - Guards that all threads of a block pass ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/WholeGuards.h"

#include "compiler/Analysis/Barriers.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace regrain;

/// Returns the only operation with regions in a block if it is a guard, or null.
static scf::IfOp guardIn(Block &block) {
  scf::IfOp guard;
  for (Operation &op : block) {
    if (op.getNumRegions() == 0)
      continue;
    auto branch = dyn_cast<scf::IfOp>(op);
    if (guard || !branch || branch->getNumResults() != 0 || branch.elseBlock())
      return {};
    guard = branch;
  }
  return guard;
}

WholeGuards regrain::findWholeGuards(grain::ThreadsOp threads) {
  bool isKnown = llvm::all_of(llvm::seq(3u), [&](unsigned dimension) {
    return threads.getKnownIterations(dimension).has_value();
  });
  bool meets = threads
                   .walk([](Operation *op) {
                     return isBarrier(op) ? WalkResult::interrupt() : WalkResult::advance();
                   })
                   .wasInterrupted();
  if (!isKnown || meets)
    return {};
  auto kernel = threads->getParentOfType<grain::KernelOp>();
  AffineForms forms(kernel);
  Uniformity uniformity(kernel);
  Recomputation recomputation(threads);
  WholeGuards guards;
  for (scf::IfOp guard = guardIn(threads.getBody().front()); guard;
       guard = guardIn(*guard.thenBlock())) {
    SmallVector<Extreme> extremes(guards.extremes);
    if (!addExtremes({guard.getCondition(), true}, threads, forms, uniformity, extremes) ||
        !llvm::all_of(extremes, [&](const Extreme &extreme) {
          return recomputation.isPossible(extreme.comparison.value);
        }))
      break;
    guards.branches.push_back(guard);
    guards.extremes = std::move(extremes);
  }
  return guards;
}

void WholeGuards::inlineBranches() {
  for (scf::IfOp branch : llvm::reverse(branches)) {
    Block *block = branch.thenBlock();
    branch->getBlock()->getOperations().splice(branch->getIterator(), block->getOperations(),
                                               block->begin(),
                                               block->getTerminator()->getIterator());
    branch.erase();
  }
  branches.clear();
}
