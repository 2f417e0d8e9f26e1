//===- ReshapeBlocks.cpp - Other block shapes for a launch ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Dialect/Grain/ThreadSplit.h"
#include "compiler/Transforms/Regroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Derives which thread's work a thread of the new nest does. The runtime ensures that a launch has
/// fewer than 2^31 threads of the program in each dimension.
static RegroupedThread derive(OpBuilder &builder, grain::BlocksOp blocks, grain::ThreadsOp threads,
                              const Factors &shape, uint32_t split) {
  RegroupedThread thread;
  Location location = blocks.getLoc();
  Type i32 = builder.getI32Type();
  for (unsigned d = 0; d < 3; ++d) {
    Value size = builder.create<grain::BlockSizeOp>(location, i32, grain::Dimension(d));
    Value grid = builder.create<grain::GridSizeOp>(location, i32, grain::Dimension(d));
    uint32_t lanes = d == 0 ? split : 1;
    Value start = builder.create<arith::MulIOp>(location, blocks.getBody().getArgument(d),
                                                constant(builder, location, shape[d] / lanes));
    Value own = threads.getBody().getArgument(d);
    if (lanes == shape[d] && lanes != 1)
      own = constant(builder, location, 0);
    else if (lanes != 1)
      own = builder.create<arith::DivUIOp>(location, own, constant(builder, location, lanes));
    Value index = builder.create<arith::AddIOp>(location, start, own);
    Value total = builder.create<arith::MulIOp>(location, grid, size);
    Value inside = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ult, index, total);
    thread.inside = thread.inside
                        ? builder.create<arith::AndIOp>(location, thread.inside, inside).getResult()
                        : inside;
    thread.index[d] = index;
    thread.block[d] = builder.create<arith::DivUIOp>(location, index, size);
    thread.thread[d] = builder.create<arith::RemUIOp>(location, index, size);
  }
  return thread;
}

grain::BlocksOp regrain::divideIntoBlocks(grain::BlocksOp old, const Factors &shape,
                                          const Splitting &splitting) {
  OpBuilder builder(old);
  SmallVector<Location> locations(3, old.getLoc());
  TypeRange coordinateTypes = old.getBody().getArgumentTypes();
  auto blocks = cast<grain::BlocksOp>(builder.insert(old->cloneWithoutRegions()));
  builder.createBlock(&blocks.getBody(), {}, coordinateTypes, locations);
  IRMapping mapping;
  for (auto shared : old.getBody().getOps<grain::SharedOp>())
    builder.clone(*shared, mapping);
  auto threads = cast<grain::ThreadsOp>(builder.insert(old.threads()->cloneWithoutRegions()));
  threads.setShape(multiply({1, 1, 1}, shape));
  if (splitting.lanes != 1)
    threads->setAttr(grain::splitAttribute, builder.getI32IntegerAttr(int32_t(splitting.lanes)));
  builder.create<grain::YieldOp>(old.getLoc());
  Block *body = builder.createBlock(&threads.getBody(), {}, coordinateTypes, locations);
  Operation *end = builder.create<grain::YieldOp>(old.getLoc());
  builder.setInsertionPoint(end);
  RegroupedThread thread = derive(builder, blocks, threads, shape, splitting.lanes);
  if (splitting.x)
    mapping.map(splitting.x, threads.getBody().getArgument(0));
  createGuardedBody(builder, old, thread, *body, mapping);
  old.erase();
  return blocks;
}

static std::optional<Refusal> checkIndependent(grain::BlocksOp blocks) {
  Operation *found = nullptr;
  blocks.walk([&](Operation *op) {
    if (!found && (isBarrier(op) || isa<grain::SharedOp, grain::DynamicSharedOp>(op)))
      found = op;
  });
  if (found)
    return refuse(
        found, RefusalKind::ThreadsCooperate,
        "the threads of a block cooperate, so shape= cannot divide them among other blocks");
  ThreadSummary summary(blocks->getParentOfType<grain::KernelOp>());
  if (Operation *op = summary.findWarpOperation())
    return refuse(op, RefusalKind::WarpOperation,
                  "the lanes of a warp cooperate, so shape= cannot divide them among other warps");
  if (Operation *op = summary.findBlockOperation())
    return refuse(op, RefusalKind::ThreadsCooperate,
                  "an operation is effective only among the threads of one block");
  return std::nullopt;
}

std::optional<Refusal> regrain::checkDivisible(grain::BlocksOp blocks) {
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  if (auto refusal = checkRegroupable(blocks))
    return refusal;
  return checkIndependent(blocks);
}

std::optional<Refusal> regrain::reshapeBlocks(grain::BlocksOp &blocks, const Factors &shape) {
  if (auto refusal = checkDivisible(blocks))
    return refusal;
  blocks = divideIntoBlocks(blocks, shape, {});
  return std::nullopt;
}
