//===- TileCopier.cpp - Where the elements of a tile lie ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/TileCopier.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

Value TileCopier::threadNumber() {
  Value number;
  for (unsigned dimension : {2u, 1u, 0u}) {
    if (number)
      number = builder.create<arith::MulIOp>(location, number, constant(filling.block[dimension]));
    if (filling.block[dimension] == 1)
      continue;
    Value own = filling.threads.getBody().getArgument(dimension);
    number = number ? builder.create<arith::AddIOp>(location, number, own).getResult() : own;
  }
  return number ? number : constant(0);
}

void TileCopier::createStrides() {
  Value base = tile.base;
  if (auto variable = base.getDefiningOp<LLVM::AddressOfOp>())
    base = builder.clone(*variable)->getResult(0);
  origin = builder.create<LLVM::GEPOp>(location, base.getType(), builder.getI8Type(), base,
                                       ArrayRef<LLVM::GEPArg>{sumOf(tile.start)});
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (dimension != tile.line &&
        (tile.extent[dimension] != 1 || (dimension == stepDimension && tile.hasStride(dimension))))
      steps[dimension] = sumOf(tile.strides[dimension]);
}

void TileCopier::start() {
  thread = threadNumber();
  createStrides();
}

TileCopier::Position TileCopier::positionOf(Value number, int64_t perLine) {
  Position position;
  position.place.fill(constant(0));
  SmallVector<unsigned> outer;
  for (unsigned dimension : tile.order())
    if (dimension != tile.line && tile.extent[dimension] != 1)
      outer.push_back(dimension);
  position.place[tile.line] = number;
  if (outer.empty())
    return position;
  position.place[tile.line] = builder.create<arith::RemUIOp>(location, number, constant(perLine));
  position.line = builder.create<arith::DivUIOp>(location, number, constant(perLine));
  Value rest = position.line;
  for (unsigned dimension : ArrayRef(outer).drop_back()) {
    Value extent = constant(tile.extent[dimension]);
    position.place[dimension] = builder.create<arith::RemUIOp>(location, rest, extent);
    rest = builder.create<arith::DivUIOp>(location, rest, extent);
  }
  position.place[outer.back()] = rest;
  return position;
}

std::pair<Value, Value> TileCopier::placesOf(const Position &position) {
  Value offset =
      builder.create<arith::MulIOp>(location, wide(position.place[tile.line]),
                                    builder.create<arith::ConstantIntOp>(location, tile.bytes, 64));
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (steps[dimension])
      offset = builder.create<arith::AddIOp>(
          location, offset,
          builder.create<arith::MulIOp>(location, wide(position.place[dimension]),
                                        steps[dimension]));
  Value from = builder.create<LLVM::GEPOp>(location, origin.getType(), builder.getI8Type(), origin,
                                           ArrayRef<LLVM::GEPArg>{offset});
  Value slot = position.place[tile.line];
  if (tile.shift)
    slot = builder.create<arith::AddIOp>(location, slot, constant(tile.shift));
  if (position.line)
    slot = builder.create<arith::AddIOp>(
        location, slot,
        builder.create<arith::MulIOp>(location, position.line, constant(tile.pitch)));
  Type element = LLVM::LLVMArrayType::get(builder.getI8Type(), tile.bytes);
  Value to = builder.create<LLVM::GEPOp>(location, shared.getType(), element, shared,
                                         ArrayRef<LLVM::GEPArg>{slot}, /*inbounds=*/true);
  return {from, to};
}

void TileCopier::copy(const Position &position, Type type, uint64_t alignment) {
  auto [from, to] = placesOf(position);
  auto load = builder.create<LLVM::LoadOp>(location, type, from, alignment);
  load.setInvariant(true);
  builder.create<LLVM::StoreOp>(location, load, to, std::max<uint64_t>(alignment, tile.bytes));
}

void TileCopier::copyPiece(const Position &position) {
  copy(position, VectorType::get({widestAccess / 4}, builder.getI32Type()), widestAccess);
}

void TileCopier::inRounds(int64_t count, llvm::function_ref<void(Value)> copyOne) {
  int64_t threads = filling.count();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = thread;
    if (first)
      number = builder.create<arith::AddIOp>(location, number, constant(first));
    OpBuilder::InsertionGuard outside(builder);
    if (count - first < threads) {
      auto exists = builder.create<scf::IfOp>(location, isBelow(number, count),
                                              /*withElseRegion=*/false);
      builder.setInsertionPoint(exists.thenYield());
    }
    copyOne(number);
  }
}

void TileCopier::inLines(llvm::function_ref<void(Value)> copyOne) {
  int64_t warps = filling.count() / warpThreads;
  Value own = thread;
  if (filling.count() % warpThreads == 0 && warps != 1) {
    Value size = constant(warpThreads);
    Value lane = create<arith::RemUIOp>(thread, size), warp = create<arith::DivUIOp>(thread, size);
    thread = create<arith::AddIOp>(create<arith::MulIOp>(lane, constant(warps)), warp);
  }
  inRounds(tile.lines(), copyOne);
  thread = own;
}
