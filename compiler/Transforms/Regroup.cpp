//===- Regroup.cpp - Regrouping threads into other blocks -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Regroup.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

bool regrain::isLaunchIndex(arith::AddIOp sum, grain::BlocksOp old, unsigned dimension) {
  Value block = old.getBody().getArgument(dimension);
  Value thread = old.threads().getBody().getArgument(dimension);
  auto isBlockStart = [&](Value value) {
    auto product = value.getDefiningOp<arith::MulIOp>();
    if (!product)
      return false;
    Value other = product.getLhs() == block   ? product.getRhs()
                  : product.getRhs() == block ? product.getLhs()
                                              : Value();
    if (!other)
      return false;
    auto known = old.getKnownBlock();
    if (known && getConstantIntValue(other) == (*known)[dimension])
      return true;
    auto size = other.getDefiningOp<grain::BlockSizeOp>();
    return size && static_cast<unsigned>(size.getDimension()) == dimension;
  };
  return (sum.getLhs() == thread && isBlockStart(sum.getRhs())) ||
         (sum.getRhs() == thread && isBlockStart(sum.getLhs()));
}

static void mapLaunchIndices(grain::BlocksOp old, const RegroupedThread &thread,
                             IRMapping &mapping) {
  grain::ThreadsOp threads = old.threads();
  threads.walk([&](arith::AddIOp sum) {
    for (unsigned d = 0; d < 3; ++d)
      if (thread.index[d] && isLaunchIndex(sum, old, d))
        mapping.map(sum.getResult(), thread.index[d]);
  });
}

/// Clones `op` and its regions. A sum that is a launch index is replaced by that index everywhere.
static void cloneMapped(OpBuilder &builder, Operation &op, IRMapping &mapping,
                        const IRMapping &indices) {
  if (op.getNumResults() != 0 && mapping.contains(op.getResult(0)))
    return;
  builder.clone(op, mapping);
  op.walk([&](Operation *inner) {
    if (inner == &op || inner->getNumResults() == 0)
      return;
    if (Value index = indices.lookupOrNull(inner->getResult(0)))
      mapping.lookup(inner->getResult(0)).replaceAllUsesWith(index);
  });
}

void regrain::createGuardedBody(OpBuilder &builder, grain::BlocksOp old,
                                const RegroupedThread &thread, Block &body, IRMapping &mapping) {
  Location location = old.getLoc();
  grain::ThreadsOp threads = old.threads();
  IRMapping indices;
  mapLaunchIndices(old, thread, indices);
  for (unsigned d = 0; d < 3; ++d) {
    mapping.map(old.getBody().getArgument(d), thread.block[d]);
    mapping.map(threads.getBody().getArgument(d), thread.thread[d]);
  }
  cloneAllocations(builder, threads, mapping);
  auto guard = builder.create<scf::IfOp>(location, thread.inside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(guard.thenBlock());
  for (Operation &op : old.getBody().front().without_terminator())
    if (&op != threads)
      cloneMapped(builder, op, mapping, indices);
  for (Operation &op : threads.getBody().front().without_terminator()) {
    if (Value index = op.getNumResults() ? indices.lookupOrNull(op.getResult(0)) : Value())
      mapping.map(op.getResult(0), index);
    cloneMapped(builder, op, mapping, indices);
  }
  guard.walk([&](Operation *op) {
    if (auto barrier = dyn_cast<grain::BarrierOp>(op))
      barrier.getLoopsMutable().assign(body.getArguments());
    else if (auto reduce = dyn_cast<grain::BarrierReduceOp>(op))
      reduce.getLoopsMutable().assign(body.getArguments());
  });
}

std::optional<Refusal> regrain::checkOriginalNest(grain::BlocksOp blocks) {
  grain::ThreadsOp threads = blocks.threads();
  if (isCoarse(blocks.getFactors()) || isCoarse(threads.getFactors()) || threads.getShape())
    return refuse(blocks, RefusalKind::AlreadyRegrained,
                  "the threads or blocks have already been coarsened, fused or reshaped");
  return std::nullopt;
}

std::optional<Refusal> regrain::checkRegroupable(grain::BlocksOp blocks) {
  if (auto refusal = checkOriginalNest(blocks))
    return refusal;
  return checkEffectsInThreads(blocks);
}
