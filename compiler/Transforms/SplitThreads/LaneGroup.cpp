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

LaneGroup::LaneGroup(grain::ThreadsOp threads, uint32_t lanes, bool areApart)
    : threads(threads), lanes(lanes),
      lanesInWarp(areApart ? warpThreads : std::min(lanes, warpThreads)), apart(areApart) {
  OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
  Location location = threads.getLoc();
  x = constant(builder, location, 0);
  Value lane =
      apart ? createQuotient(builder, location, warpThreads) : createPart(builder, location, lanes);
  number = builder.create<arith::ExtUIOp>(location, builder.getI64Type(), lane);
  first = createIsZero(builder, location, lane);
  mask = constant(builder, location, lanesInWarp == warpThreads ? ~0u : (1u << lanes) - 1);
  if (lanesInWarp == warpThreads)
    return;
  Value start =
      builder.create<arith::AndIOp>(location, x, constant(builder, location, warpThreads - lanes));
  mask = builder.create<arith::ShLIOp>(location, mask, start);
}

void LaneGroup::createMeeting(OpBuilder &builder, Location location) const {
  if (!apart && getWarps() == 1)
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

/// Returns shared memory for one of several values of a type that are exchanged together.
Value LaneGroup::getArray(Location location, StringRef name, Type type, uint32_t size,
                          unsigned number) const {
  Type array = LLVM::LLVMArrayType::get(type, size);
  // Lanes that are apart meet twice whenever they exchange, so they have read what was there
  // before.
  if (apart)
    for (auto shared : threads->getBlock()->getOps<grain::SharedOp>())
      if (shared.getName() == name && shared.getTypeAttr().getValue() == array && number-- == 0)
        return shared;
  OpBuilder outside(threads);
  auto pointer = LLVM::LLVMPointerType::get(outside.getContext(), sharedSpace);
  return outside.create<grain::SharedOp>(location, pointer, name, array, /*alignment=*/8);
}

SmallVector<Value> LaneGroup::createThroughShared(OpBuilder &builder, Location location,
                                                  ValueRange values, const Places &places) const {
  auto writer = builder.create<scf::IfOp>(location, places.writes, /*withElseRegion=*/false);
  createMeeting(builder, location);
  OpBuilder writes = writer.getThenBodyBuilder();
  SmallVector<Value> others;
  llvm::SmallDenseMap<Type, unsigned> numbers;
  for (Value value : values) {
    Type type = value.getType();
    Value array = getArray(location, places.name, type, places.count, numbers[type]++);
    auto place = [&](OpBuilder &at, Value number) {
      return at.create<LLVM::GEPOp>(location, array.getType(), type, array, number);
    };
    writes.create<LLVM::StoreOp>(location, value, place(writes, places.to));
    others.push_back(builder.create<LLVM::LoadOp>(location, type, place(builder, places.from)));
  }
  return others;
}

Value LaneGroup::createPart(OpBuilder &builder, Location location, uint32_t count) const {
  return builder.create<arith::AndIOp>(location, x, constant(builder, location, count - 1));
}

/// Creates x / divisor, where a launched block has so many threads.
Value LaneGroup::createQuotient(OpBuilder &builder, Location location, uint32_t divisor) const {
  Value shift = constant(builder, location, llvm::Log2_32(divisor));
  return builder.create<arith::ShRUIOp>(location, x, shift);
}

Value LaneGroup::createIsZero(OpBuilder &builder, Location location, Value number) const {
  return builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, number,
                                       constant(builder, location, 0));
}

SmallVector<Value> LaneGroup::createOfWarps(OpBuilder &builder, Location location,
                                            ValueRange values, bool isRepeated) const {
  Value lane = createPart(builder, location, warpThreads);
  Value isLeader = createIsZero(builder, location, lane);
  Value warp = createQuotient(builder, location, warpThreads);
  Value other = createPart(builder, location, getWarps());
  SmallVector<Value> others = createThroughShared(
      builder, location, values,
      {.name = "parts", .count = getWarps(), .writes = isLeader, .to = warp, .from = other});
  if (isRepeated)
    createMeeting(builder, location);
  return others;
}

SmallVector<Value> LaneGroup::createGathered(OpBuilder &builder, Location location,
                                             ValueRange values) const {
  constexpr uint32_t pitch = warpThreads + 1; // so that neighbours read different banks
  auto place = [&](Value warp, Value lane) -> Value {
    Value row = builder.create<arith::MulIOp>(location, warp, constant(builder, location, pitch));
    return builder.create<arith::AddIOp>(location, row, lane);
  };
  Value to = place(createQuotient(builder, location, warpThreads),
                   createPart(builder, location, warpThreads));
  Value from =
      place(createPart(builder, location, lanes), createQuotient(builder, location, lanes));
  Value all = builder.create<arith::ConstantOp>(location, builder.getBoolAttr(true));
  return createThroughShared(
      builder, location, values,
      {.name = "parts", .count = lanes * pitch, .writes = all, .to = to, .from = from});
}

SmallVector<Value> LaneGroup::createSpread(OpBuilder &builder, Location location,
                                           ValueRange values) const {
  Value isFirst = createIsZero(builder, location, createPart(builder, location, lanes));
  Value to = createQuotient(builder, location, lanes);
  Value from = createPart(builder, location, warpThreads);
  return createThroughShared(
      builder, location, values,
      {.name = "wholes", .count = warpThreads, .writes = isFirst, .to = to, .from = from});
}
