//===- FlatRows.cpp - Rows of a flat index --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/TransposeAccesses/FlatRows.h"

#include "compiler/Analysis/AddressSum.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace regrain;

/// 32 rows of at most this length have numbers of 31 bits.
static constexpr int64_t longestRow = int64_t(1) << 25;
static constexpr unsigned deepest = 8; ///< operations, one behind the other

arith::AddIOp regrain::findFlatIndex(grain::ThreadsOp threads) {
  auto blocks = threads->getParentOfType<grain::BlocksOp>();
  Value own = threads.getBody().getArgument(0), block = blocks.getBody().getArgument(0);
  if (!threads.getShape() || threads.getKnownIterations(0) != flatSide * flatSide ||
      !own.hasOneUse() || !block.hasOneUse())
    return {};
  auto sum = dyn_cast<arith::AddIOp>(*own.user_begin());
  auto start = dyn_cast<arith::MulIOp>(*block.user_begin());
  if (!sum || !start || !start->hasOneUse() || *start->user_begin() != sum)
    return {};
  return getConstantIntValue(start.getRhs()) == flatSide * flatSide ? sum : arith::AddIOp();
}

static Value withoutExtension(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns whether the value can be computed anywhere in the body of `blocks`, and is the same for
/// all of them.
static bool isFixed(Value value, grain::BlocksOp blocks, unsigned depth = 0) {
  if (!blocks.getBody().isAncestor(value.getParentRegion()))
    return true;
  Operation *op = value.getDefiningOp();
  bool isPlain = isa_and_nonnull<arith::ConstantOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                                 arith::AddIOp, arith::SubIOp, arith::MulIOp, grain::BlockSizeOp,
                                 grain::GridSizeOp>(op);
  return isPlain && depth < deepest &&
         llvm::all_of(
             op->getOperands(), [&](Value operand) { return isFixed(operand, blocks, depth + 1); });
}

/// Returns what a summand of `value` divides `index` by.
static Value findDivisor(Value value, Value index, unsigned depth = 0) {
  value = withoutExtension(value);
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepest)
    return {};
  if (isa<arith::AddIOp>(op)) {
    Value found = findDivisor(op->getOperand(0), index, depth + 1);
    return found ? found : findDivisor(op->getOperand(1), index, depth + 1);
  }
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    value = withoutExtension(op->getOperand(0));
  op = value.getDefiningOp();
  bool divides = isa_and_nonnull<arith::DivSIOp, arith::DivUIOp>(op) &&
                 withoutExtension(op->getOperand(0)) == index;
  return divides ? op->getOperand(1) : Value();
}

Value regrain::findRowLength(Value address, int64_t bytes, Value index, const DataLayout &layout) {
  std::optional<AddressSum> sum = addressSumOf(address, layout);
  if (!sum)
    return {};
  auto blocks = index.getDefiningOp()->getParentOfType<grain::BlocksOp>();
  for (const AddressSum::Term &term : sum->terms)
    if (Value length = term.bytes == bytes ? findDivisor(term.index, index) : Value();
        length && (length.getType().isInteger(32) || length.getType().isInteger(64)) &&
        isFixed(length, blocks))
      return length;
  return {};
}

/// Creates a fixed value in front of what it may stand behind. It is never poison, because nothing
/// is said of overflow any more.
static Value createFixed(OpBuilder &builder, Value value, grain::BlocksOp blocks) {
  if (!blocks.getBody().isAncestor(value.getParentRegion()))
    return value;
  IRMapping mapping;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, createFixed(builder, operand, blocks));
  Operation *made = builder.clone(*op, mapping);
  made->removeAttr("overflowFlags");
  return made->getResult(0);
}

static Value createNumber(ImplicitLocOpBuilder &builder, int64_t value, Type type) {
  return builder.create<arith::ConstantOp>(builder.getIntegerAttr(type, value));
}

namespace {

using Predicate = arith::CmpIPredicate;

struct Rows {
  Value length;   ///< of 32 bits; flatSide if the given one is not suitable
  Value areTiles; ///< i1: it is suitable
};

} // namespace

static Rows createRows(ImplicitLocOpBuilder &builder, Value given) {
  Type type = given.getType();
  Value rest = builder.create<arith::RemUIOp>(given, createNumber(builder, flatSide, type));
  Value zero = createNumber(builder, 0, type), longest = createNumber(builder, longestRow, type);
  Value isMultiple = builder.create<arith::CmpIOp>(Predicate::eq, rest, zero);
  Value isSome = builder.create<arith::CmpIOp>(Predicate::ne, given, zero);
  Value isShort = builder.create<arith::CmpIOp>(Predicate::ult, given, longest);
  Value areTiles = builder.create<arith::AndIOp>(isMultiple, isSome);
  areTiles = builder.create<arith::AndIOp>(areTiles, isShort);
  Value length =
      builder.create<arith::SelectOp>(areTiles, given, createNumber(builder, flatSide, type));
  if (!type.isInteger(32))
    length = builder.create<arith::TruncIOp>(builder.getI32Type(), length);
  return {length, areTiles};
}

void regrain::foldIntoTiles(arith::AddIOp index, Value given) {
  auto threads = index->getParentOfType<grain::ThreadsOp>();
  auto blocks = threads->getParentOfType<grain::BlocksOp>();
  ImplicitLocOpBuilder builder(index.getLoc(), index->getContext());
  builder.setInsertionPointAfter(index);
  Type i32 = builder.getI32Type();
  Value side = createNumber(builder, flatSide, i32), own = threads.getBody().getArgument(0);
  Rows rows = createRows(builder, createFixed(builder, given, blocks));
  Value start = builder.create<arith::MulIOp>(blocks.getBody().getArgument(0),
                                              createNumber(builder, flatSide * flatSide, i32));
  Value group = builder.create<arith::MulIOp>(rows.length, side);
  Value number = builder.create<arith::DivUIOp>(start, group);
  Value first = builder.create<arith::MulIOp>(number, group);
  Value end = builder.create<arith::AddIOp>(first, group);
  Value grid = builder.create<grain::GridSizeOp>(i32, grain::Dimension::X);
  Value size = builder.create<grain::BlockSizeOp>(i32, grain::Dimension::X);
  Value all = builder.create<arith::MulIOp>(grid, size);
  Value isFilled = builder.create<arith::CmpIOp>(Predicate::ule, end, all);
  Value isTile = builder.create<arith::AndIOp>(rows.areTiles, isFilled);
  Value lane = builder.create<arith::RemUIOp>(own, side);
  Value line = builder.create<arith::DivUIOp>(own, side);
  Value before = builder.create<arith::SubIOp>(start, first);
  Value column = builder.create<arith::DivUIOp>(before, side);
  Value ofLine = builder.create<arith::MulIOp>(line, rows.length);
  Value inLine = builder.create<arith::AddIOp>(column, lane);
  Value place = builder.create<arith::AddIOp>(first, ofLine);
  place = builder.create<arith::AddIOp>(place, inLine);
  auto folded = builder.create<arith::SelectOp>(isTile, place, index.getResult());
  index.getResult().replaceAllUsesExcept(folded.getResult(), folded);
}
