//===- WarpShuffle.cpp - Values of other lanes ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/WarpShuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

/// The bits of what a shuffle moves.
static constexpr unsigned wordBits = 32;

static Value createIntegerShuffle(OpBuilder &builder, Location location, Value value,
                                  const regrain::Shuffle &shuffle) {
  Type type = value.getType(), word = builder.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  auto move = [&](Value part) -> Value {
    return builder.create<NVVM::ShflOp>(location, word, shuffle.mask, part, shuffle.where,
                                        shuffle.clamp, shuffle.kind, UnitAttr());
  };
  if (bits == wordBits)
    return move(value);
  if (bits < wordBits) {
    Value moved = move(builder.create<arith::ExtUIOp>(location, word, value));
    return builder.create<arith::TruncIOp>(location, type, moved);
  }
  Value result;
  for (unsigned start = 0; start < bits; start += wordBits) {
    Value distance =
        builder.create<arith::ConstantOp>(location, builder.getIntegerAttr(type, start));
    Value part = builder.create<arith::ShRUIOp>(location, value, distance);
    part = move(builder.create<arith::TruncIOp>(location, word, part));
    part = builder.create<arith::ExtUIOp>(location, type, part);
    part = builder.create<arith::ShLIOp>(location, part, distance);
    result = result ? builder.create<arith::OrIOp>(location, result, part) : part;
  }
  return result;
}

Value regrain::createShuffle(OpBuilder &builder, Location location, Value value,
                             const Shuffle &shuffle) {
  Type type = value.getType();
  if (type.isInteger())
    return createIntegerShuffle(builder, location, value, shuffle);
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  Value moved = builder.create<arith::BitcastOp>(location, bits, value);
  moved = createIntegerShuffle(builder, location, moved, shuffle);
  return builder.create<arith::BitcastOp>(location, type, moved);
}
