//===- LaneGroup.cpp - The lanes that share a thread ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/LaneGroup.h"

#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/WarpShuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

LaneGroup::LaneGroup(grain::ThreadsOp threads, uint32_t lanes) : lanes(lanes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
  Location location = threads.getLoc();
  x = constant(builder, location, 0);
  Value low = constant(builder, location, lanes - 1);
  Value lane = builder.create<arith::AndIOp>(location, x, low);
  number = builder.create<arith::ExtUIOp>(location, builder.getI64Type(), lane);
  first = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, lane,
                                        constant(builder, location, 0));
  mask = constant(builder, location, lanes == warpThreads ? ~0u : (1u << lanes) - 1);
  if (lanes == warpThreads)
    return;
  Value start =
      builder.create<arith::AndIOp>(location, x, constant(builder, location, warpThreads - lanes));
  mask = builder.create<arith::ShLIOp>(location, mask, start);
}

void LaneGroup::createMeeting(OpBuilder &builder, Location location) const {
  builder.create<NVVM::SyncWarpOp>(location, mask);
}

/// Returns the clamp of shuffles that stay in the group.
static Value createClamp(OpBuilder &builder, Location location, uint32_t lanes) {
  return constant(builder, location, (warpThreads - lanes) << 8 | (warpThreads - 1));
}

Value LaneGroup::createAcross(OpBuilder &builder, Location location, Value value,
                              uint32_t distance) const {
  return createShuffle(builder, location, value,
                       {.kind = NVVM::ShflKind::bfly,
                        .mask = mask,
                        .where = constant(builder, location, distance),
                        .clamp = createClamp(builder, location, lanes)});
}

Value LaneGroup::createFrom(OpBuilder &builder, Location location, Value value,
                            uint32_t lane) const {
  return createShuffle(builder, location, value,
                       {.kind = NVVM::ShflKind::idx,
                        .mask = mask,
                        .where = constant(builder, location, lane),
                        .clamp = createClamp(builder, location, lanes)});
}
