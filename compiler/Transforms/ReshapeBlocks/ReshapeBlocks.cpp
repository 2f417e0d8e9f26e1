//===- ReshapeBlocks.cpp - Other block shapes for a launch ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Transforms/Regroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Derives which thread's work a thread of the new nest does. The runtime ensures that a launch has
/// fewer than 2^31 threads in each dimension.
static RegroupedThread derive(OpBuilder &builder, grain::BlocksOp blocks, grain::ThreadsOp threads,
                              const Factors &shape) {
  RegroupedThread thread;
  Location location = blocks.getLoc();
  Type i32 = builder.getI32Type();
  for (unsigned d = 0; d < 3; ++d) {
    Value size = builder.create<grain::BlockSizeOp>(location, i32, grain::Dimension(d));
    Value grid = builder.create<grain::GridSizeOp>(location, i32, grain::Dimension(d));
    Value start = builder.create<arith::MulIOp>(location, blocks.getBody().getArgument(d),
                                                constant(builder, location, shape[d]));
    Value index = builder.create<arith::AddIOp>(location, start, threads.getBody().getArgument(d));
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

/// Builds the reshaped nest in place of `old`.
static grain::BlocksOp build(grain::BlocksOp old, const Factors &shape) {
  OpBuilder builder(old);
  SmallVector<Location> locations(3, old.getLoc());
  TypeRange coordinateTypes = old.getBody().getArgumentTypes();
  auto blocks = cast<grain::BlocksOp>(builder.insert(old->cloneWithoutRegions()));
  builder.createBlock(&blocks.getBody(), {}, coordinateTypes, locations);
  auto threads = cast<grain::ThreadsOp>(builder.insert(old.threads()->cloneWithoutRegions()));
  threads.setShape(multiply({1, 1, 1}, shape));
  builder.create<grain::YieldOp>(old.getLoc());
  Block *body = builder.createBlock(&threads.getBody(), {}, coordinateTypes, locations);
  Operation *end = builder.create<grain::YieldOp>(old.getLoc());
  builder.setInsertionPoint(end);
  RegroupedThread thread = derive(builder, blocks, threads, shape);
  IRMapping mapping;
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

std::optional<Refusal> regrain::reshapeBlocks(grain::BlocksOp &blocks, const Factors &shape) {
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  if (auto refusal = checkRegroupable(blocks))
    return refusal;
  if (auto refusal = checkIndependent(blocks))
    return refusal;
  blocks = build(blocks, shape);
  return std::nullopt;
}
