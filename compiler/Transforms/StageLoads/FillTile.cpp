//===- FillTile.cpp - The copy of a footprint -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/FillTile.h"

#include "compiler/Transforms/StageLoads/TileCopier.h"
#include "compiler/Transforms/StageLoads/TouchedLines.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

class Filler : TileCopier {
public:
  using TileCopier::TileCopier;

  void run();

private:
  Value either(Value first, Value second) {
    return first ? create<arith::OrIOp>(first, second) : second;
  }

  Value wholeBlock();
  void copyIf(Value condition, const Position &position);
  void copyWide(Value number);
  void copyBulk(Value number);
  void copyRest(Value number);
  void copyRows();
  void copyTouched();
  Value isTouched(const Coordinates &place, int64_t count = 1, bool mayLeave = false);
  Value isLoadedBy(const TileLoad &load, const Coordinates &place);
  Value isLoaded(const Coordinates &place);
};

//===----------------------------------------------------------------------===//
// Which elements
//===----------------------------------------------------------------------===//

/// Creates what tells whether the conditions hold for all threads of the block; null if the tile's
/// conditions do not tell by a few threads.
Value Filler::wholeBlock() {
  SmallVector<Extreme> extremes;
  SmallVector<LoadGuard> known;
  for (const TileLoad &load : tile.loads) {
    if (llvm::is_contained(known, load.guard))
      continue;
    known.push_back(load.guard);
    for (const GuardCondition &condition : load.guard)
      if (!addExtremes(condition, filling.threads, filling.forms, filling.uniformity, extremes))
        return {};
  }
  return createWholeBlock(builder, filling.threads, extremes, filling.block);
}

/// Creates what tells whether a block whose conditions all hold loads `count` elements from `place`
/// on; null if it does in any case. The place may be outside of the tile if it `mayLeave` it.
Value Filler::isTouched(const Coordinates &place, int64_t count, bool mayLeave) {
  Value any;
  for (const TouchedLines &line : touchedLines(tile, filling.block)) {
    Value inRows, inRuns;
    for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
      if (dimension != tile.line && tile.extent[dimension] > filling.block[dimension])
        inRows = both(
            inRows, isBelow(less(place[dimension], line.row[dimension]), filling.block[dimension]));
    bool isWhole = false;
    for (const Run &run : line.runs) {
      isWhole |= !mayLeave && run.length() == tile.extent[tile.line];
      if (run.length() >= count && !isWhole)
        inRuns =
            either(inRuns, isBelow(less(place[tile.line], run.first), run.length() - count + 1));
    }
    if (!isWhole && !inRuns)
      continue;
    Value own = both(inRows, inRuns);
    if (!own)
      return {};
    any = either(any, own);
  }
  return any ? any : constantBit(false);
}

/// Creates what tells whether a thread loads the element by `load`.
Value Filler::isLoadedBy(const TileLoad &load, const Coordinates &place) {
  IRMapping mapping;
  Value exists;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    int64_t count = filling.block[dimension];
    Value coordinate = constant(0);
    if (tile.hasStride(dimension) && count != 1) {
      coordinate = less(place[dimension], load.first[dimension]);
      int64_t step = dimension == tile.line ? tile.step : 1;
      if (tile.extent[dimension] != (count - 1) * step + 1)
        exists = both(exists, isBelow(coordinate, (count - 1) * step + 1));
      if (step != 1) {
        Value rest = builder.create<arith::RemUIOp>(location, coordinate, constant(step));
        exists = both(exists, isBelow(rest, 1));
        coordinate = builder.create<arith::DivUIOp>(location, coordinate, constant(step));
      }
    }
    mapping.map(filling.threads.getBody().getArgument(dimension), coordinate);
  }
  Value passes = createGuard(builder, location, load.guard, mapping);
  return exists ? builder.create<arith::SelectOp>(location, exists, passes, constantBit(false))
                      .getResult()
                : passes;
}

Value Filler::isLoaded(const Coordinates &place) {
  Value any;
  for (const TileLoad &load : tile.loads)
    any = either(any, isLoadedBy(load, place));
  return any;
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// Creates the copy of an element if `condition`, which may be null, holds.
void Filler::copyIf(Value condition, const Position &position) {
  OpBuilder::InsertionGuard outside(builder);
  if (condition) {
    auto loaded = builder.create<scf::IfOp>(location, condition, /*withElseRegion=*/false);
    builder.setInsertionPoint(loaded.thenYield());
  }
  copy(position, tile.copiedType(), tile.alignment());
}

/// Creates the copy of as many elements as one access holds: at once, if all of them are loaded.
void Filler::copyWide(Value number) {
  int64_t count = widestAccess / tile.bytes;
  bool mayLeave = tile.shift != 0 || tile.extent[tile.line] % count != 0;
  Position first = positionOf(number, tile.widePerLine());
  Value &column = first.place[tile.line];
  column = less(builder.create<arith::MulIOp>(location, column, constant(count)), tile.shift);
  Value all = isTouched(first.place, count, mayLeave);
  if (!all)
    return copyPiece(first);
  auto branch = builder.create<scf::IfOp>(location, all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard outside(builder);
  builder.setInsertionPoint(branch.thenYield());
  copyPiece(first);
  builder.setInsertionPoint(branch.elseYield());
  for (int64_t element = 0; element < count; ++element) {
    Position next = first;
    next.place[tile.line] = builder.create<arith::AddIOp>(location, column, constant(element));
    copyIf(isTouched(next.place, 1, mayLeave), next);
  }
}

/// Creates the copy of a line at once, as far as that is possible.
void Filler::copyBulk(Value number) {
  Position position = positionOf(number, 1);
  position.place[tile.line] = constant(tile.bulk->first);
  OpBuilder::InsertionGuard outside(builder);
  if (Value condition = isTouched(position.place, tile.bulk->length())) {
    auto loaded = builder.create<scf::IfOp>(location, condition, /*withElseRegion=*/false);
    builder.setInsertionPoint(loaded.thenYield());
  }
  auto [from, to] = placesOf(position);
  Value bytes =
      builder.create<arith::ConstantIntOp>(location, tile.bulk->length() * tile.bytes, 64);
  builder.create<LLVM::MemcpyOp>(location, to, from, bytes, /*isVolatile=*/false);
}

/// Creates the copy of an element in front of or behind what is copied at once.
void Filler::copyRest(Value number) {
  Position position = positionOf(number, tile.extent[tile.line] - tile.bulk->length());
  Value &column = position.place[tile.line];
  Value behind = builder.create<arith::AddIOp>(location, column, constant(tile.bulk->length()));
  column =
      builder.create<arith::SelectOp>(location, isBelow(column, tile.bulk->first), column, behind);
  copyIf(isTouched(position.place), position);
}

/// Creates the copy of lines by one thread each, and of what is left of them by all threads.
void Filler::copyRows() {
  inLines([&](Value number) { copyBulk(number); });
  if (int64_t rest = tile.extent[tile.line] - tile.bulk->length())
    inRounds(rest * tile.lines(), [&](Value number) { copyRest(number); });
}

/// Creates the copy of what a block loads in which all conditions hold.
void Filler::copyTouched() {
  if (tile.bulk)
    return copyRows();
  if (tile.isAligned)
    return inRounds(tile.widePerLine() * tile.lines(), [&](Value number) { copyWide(number); });
  inRounds(tile.elements(), [&](Value number) {
    Position position = positionOf(number, tile.extent[tile.line]);
    copyIf(isTouched(position.place), position);
  });
}

void Filler::run() {
  start();
  auto copyLoaded = [&] {
    inRounds(tile.elements(), [&](Value number) {
      Position position = positionOf(number, tile.extent[tile.line]);
      copyIf(isLoaded(position.place), position);
    });
  };
  bool isGuarded =
      llvm::any_of(tile.loads, [](const TileLoad &load) { return !load.guard.empty(); });
  if (!isGuarded)
    return copyTouched();
  Value whole = wholeBlock();
  if (!whole)
    return copyLoaded();
  auto branch = builder.create<scf::IfOp>(location, whole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard outside(builder);
  builder.setInsertionPoint(branch.thenYield());
  copyTouched();
  builder.setInsertionPoint(branch.elseYield());
  copyLoaded();
}

} // namespace

void regrain::fillTile(OpBuilder &builder, const Tile &tile, Value shared, Filling &filling) {
  Filler(builder, tile, shared, filling).run();
}
