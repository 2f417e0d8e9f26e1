//===- LaneGroup.cpp - The lanes that share a thread ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/LaneGroup.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/WarpShuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

LaneGroup::LaneGroup(grain::ThreadsOp threads, uint32_t lanes)
    : threads(threads), lanes(lanes), lanesInWarp(std::min(lanes, warpThreads)) {
  OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
  Location location = threads.getLoc();
  x = constant(builder, location, 0);
  Value low = constant(builder, location, lanes - 1);
  Value lane = builder.create<arith::AndIOp>(location, x, low);
  number = builder.create<arith::ExtUIOp>(location, builder.getI64Type(), lane);
  first = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, lane,
                                        constant(builder, location, 0));
  mask = constant(builder, location, lanesInWarp == warpThreads ? ~0u : (1u << lanes) - 1);
  if (lanesInWarp == warpThreads)
    return;
  Value start =
      builder.create<arith::AndIOp>(location, x, constant(builder, location, warpThreads - lanes));
  mask = builder.create<arith::ShLIOp>(location, mask, start);
}

void LaneGroup::createMeeting(OpBuilder &builder, Location location) const {
  if (getWarps() == 1)
    builder.create<NVVM::SyncWarpOp>(location, mask);
  else
    builder.create<grain::BarrierOp>(location, grain::ThreadsOp(threads).getBody().getArguments());
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
                        .clamp = createClamp(builder, location, lanesInWarp)});
}

Value LaneGroup::createFrom(OpBuilder &builder, Location location, Value value,
                            uint32_t lane) const {
  return createShuffle(builder, location, value,
                       {.kind = NVVM::ShflKind::idx,
                        .mask = mask,
                        .where = constant(builder, location, lane),
                        .clamp = createClamp(builder, location, lanesInWarp)});
}

/// Creates shared memory with a place for each warp.
Value LaneGroup::createArray(Location location, Type type) const {
  OpBuilder outside(threads);
  auto pointer = LLVM::LLVMPointerType::get(outside.getContext(), sharedSpace);
  return outside.create<grain::SharedOp>(location, pointer, "parts",
                                         LLVM::LLVMArrayType::get(type, getWarps()),
                                         /*alignment=*/8);
}

SmallVector<Value> LaneGroup::createOfWarps(OpBuilder &builder, Location location,
                                            ValueRange values, bool isRepeated) const {
  auto part = [&](Value of, uint32_t bits) -> Value {
    Value mask = constant(builder, location, bits);
    return builder.create<arith::AndIOp>(location, of, mask);
  };
  Value lane = part(x, warpThreads - 1);
  Value isLeader = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, lane,
                                                 constant(builder, location, 0));
  Value warp = builder.create<arith::ShRUIOp>(
      location, part(x, lanes - 1), constant(builder, location, llvm::Log2_32(warpThreads)));
  Value other = part(x, getWarps() - 1);
  auto leader = builder.create<scf::IfOp>(location, isLeader, /*withElseRegion=*/false);
  createMeeting(builder, location);
  OpBuilder leads = leader.getThenBodyBuilder();
  SmallVector<Value> others;
  for (Value value : values) {
    Value array = createArray(location, value.getType());
    auto place = [&](OpBuilder &at, Value number) {
      return at.create<LLVM::GEPOp>(location, array.getType(), value.getType(), array, number);
    };
    leads.create<LLVM::StoreOp>(location, value, place(leads, warp));
    others.push_back(
        builder.create<LLVM::LoadOp>(location, value.getType(), place(builder, other)));
  }
  if (isRepeated)
    createMeeting(builder, location);
  return others;
}
