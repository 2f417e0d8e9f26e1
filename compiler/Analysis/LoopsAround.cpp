//===- LoopsAround.cpp - How often code of a kernel runs ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopsAround.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

static bool isLoop(Operation *op) {
  return isa<LoopLikeOpInterface>(op) && !isa<grain::GrainDialect>(op->getDialect());
}

static std::optional<int64_t> tripsOf(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop ? constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())
              : std::nullopt;
}

LoopsAround::LoopsAround(grain::KernelOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isLoop(op) && !tripsOf(op))
      numbers.insert({op, unsigned(numbers.size()) + 1});
  });
}

LoopsAround::Place LoopsAround::of(Operation *op) const {
  Place place;
  for (Operation *around = op->getParentOp(); !isa<grain::ThreadsOp, grain::KernelOp>(around);
       around = around->getParentOp()) {
    if (isLoop(around))
      place.loops.insert(place.loops.begin(), around);
    place.isConditional |= isa<scf::IfOp, scf::IndexSwitchOp>(around);
  }
  return place;
}

std::vector<FootprintLoop> LoopsAround::describe(ArrayRef<Operation *> loops) const {
  std::vector<FootprintLoop> described;
  for (Operation *loop : loops)
    described.push_back(
        {numbers.lookup(loop), uint64_t(tripsOf(loop).value_or(0)), /*varies=*/false});
  return described;
}
