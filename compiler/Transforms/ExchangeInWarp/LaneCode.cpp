//===- LaneCode.cpp - Code that depends on the lane -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/LaneCode.h"

#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/WarpShuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

LaneCode::LaneCode(grain::ThreadsOp threads) {
  OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
  Location location = threads.getLoc();
  uint32_t before = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    uint32_t size = threads.getKnownIterations(dimension).value();
    if (size == 1)
      continue;
    Value step = threads.getBody().getArgument(dimension);
    lane = lane ? offsetBy(builder, location, lane, before, step) : step;
    before *= size;
  }
  if (!lane)
    lane = constant(builder, location, 0);
  if (before > warpThreads)
    lane =
        builder.create<arith::AndIOp>(location, lane, constant(builder, location, warpThreads - 1));
}

Value LaneCode::createTest(OpBuilder &builder, Location location, LaneSet yes, LaneSet no) {
  auto compare = [&](arith::CmpIPredicate predicate, unsigned bound) -> Value {
    return builder.create<arith::CmpIOp>(location, predicate, lane,
                                         constant(builder, location, bound));
  };
  unsigned yesEnd = llvm::bit_width(yes), noEnd = llvm::bit_width(no);
  if (yesEnd <= unsigned(llvm::countr_zero(no)))
    return compare(arith::CmpIPredicate::ult, yesEnd);
  if (noEnd <= unsigned(llvm::countr_zero(yes)))
    return compare(arith::CmpIPredicate::uge, noEnd);
  Value bits = builder.create<arith::ShRUIOp>(location, constant(builder, location, yes), lane);
  return builder.create<arith::TruncIOp>(location, builder.getI1Type(), bits);
}

Value LaneCode::createOperand(OpBuilder &builder, Location location, const LaneSource &source) {
  Value base = constant(builder, location, source.base);
  if (source.kind == LaneSource::Linear) {
    Value factor = constant(builder, location, source.factor);
    Value product = builder.create<arith::MulIOp>(location, lane, factor);
    return builder.create<arith::AddIOp>(location, product, base);
  }
  if (source.kind != LaneSource::Bits)
    return base;
  Value one = constant(builder, location, 1), result = base;
  for (auto [bit, mask] : llvm::enumerate(source.masks)) {
    if (mask == 0)
      continue;
    Value own = builder.create<arith::ShRUIOp>(location, lane, constant(builder, location, bit));
    own = builder.create<arith::AndIOp>(location, own, one);
    own = builder.create<arith::MulIOp>(location, own, constant(builder, location, mask));
    result = builder.create<arith::XOrIOp>(location, result, own);
  }
  return result;
}

static NVVM::ShflKind kindOf(LaneSource::Kind kind) {
  switch (kind) {
  case LaneSource::Down:
    return NVVM::ShflKind::down;
  case LaneSource::Up:
    return NVVM::ShflKind::up;
  case LaneSource::Across:
    return NVVM::ShflKind::bfly;
  case LaneSource::Same:
  case LaneSource::Linear:
  case LaneSource::Bits:
    return NVVM::ShflKind::idx;
  }
  llvm_unreachable("unknown formula");
}

Value LaneCode::createShuffle(OpBuilder &builder, Location location, Value value,
                              const LaneSource &source) {
  NVVM::ShflKind kind = kindOf(source.kind);
  bool isUp = kind == NVVM::ShflKind::up;
  return regrain::createShuffle(builder, location, value,
                                {.kind = kind,
                                 .mask = constant(builder, location, ~0u),
                                 .where = createOperand(builder, location, source),
                                 .clamp = constant(builder, location, isUp ? 0 : warpThreads - 1)});
}
