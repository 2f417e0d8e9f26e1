//===- FillTile.cpp - The copy of a footprint -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/FillTile.h"

#include "compiler/Transforms/StageLoads/TouchedLines.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

class Filler {
public:
  Filler(OpBuilder &builder, const Tile &tile, Value shared, Filling &filling)
      : builder(builder), tile(tile), shared(shared), filling(filling),
        location(filling.threads.getLoc()), before(filling.known) {}

  void run();

private:
  using Coordinates = std::array<Value, tileDimensions>;

  /// Where an element lies.
  struct Position {
    Coordinates place;
    Value line; ///< the number of its line; null if there is one line
  };

  Value constant(int64_t value) {
    return builder.create<arith::ConstantIntOp>(location, value, 32);
  }
  Value constantBit(bool value) { return builder.create<arith::ConstantIntOp>(location, value, 1); }
  Value both(Value first, Value second) {
    return first && second ? builder.create<arith::AndIOp>(location, first, second).getResult()
                           : (first ? first : second);
  }
  Value either(Value first, Value second) {
    return first ? builder.create<arith::OrIOp>(location, first, second).getResult() : second;
  }
  Value isBelow(Value value, int64_t bound) {
    return builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ult, value,
                                         constant(bound));
  }
  Value less(Value value, int64_t amount) {
    return amount ? builder.create<arith::SubIOp>(location, value, constant(amount)).getResult()
                  : value;
  }

  Value threadNumber();
  Value wide(Value value) { return createWide(builder, location, value); }
  Value sumOf(const Polynomial &polynomial) {
    return filling.addresses.createSum(builder, location, polynomial, before);
  }
  void createStrides();
  Value wholeBlock();
  void inRounds(int64_t count, llvm::function_ref<void(Value)> copyOne);
  void copyIf(Value condition, const Position &position);
  std::pair<Value, Value> placesOf(const Position &position);
  void copy(const Position &position, Type type, uint64_t alignment);
  void copyWide(Value number);
  void copyBulk(Value number);
  void copyRest(Value number);
  void copyRows();
  void copyTouched();
  Position positionOf(Value number, int64_t perLine);
  Value isTouched(const Coordinates &place, int64_t count = 1, bool mayLeave = false);
  Value isLoadedBy(const TileLoad &load, const Coordinates &place);
  Value isLoaded(const Coordinates &place);

  OpBuilder &builder;
  const Tile &tile;
  Value shared;
  Filling &filling;
  Location location;
  IRMapping before;  ///< values that were created for all threads alike
  Value thread;      ///< its number in the block
  Value origin;      ///< address of the first element
  Coordinates steps; ///< strides in bytes
};

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value Filler::threadNumber() {
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

void Filler::createStrides() {
  Value base = tile.base;
  if (auto variable = base.getDefiningOp<LLVM::AddressOfOp>())
    base = builder.clone(*variable)->getResult(0);
  origin = builder.create<LLVM::GEPOp>(location, base.getType(), builder.getI8Type(), base,
                                       ArrayRef<LLVM::GEPArg>{sumOf(tile.start)});
  for (unsigned dimension = 0; dimension < tileDimensions; ++dimension)
    if (dimension != tile.line && tile.extent[dimension] != 1)
      steps[dimension] = sumOf(tile.strides[dimension]);
}

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

/// Returns where the part `number` of the tile lies, if each line has `perLine` parts.
Filler::Position Filler::positionOf(Value number, int64_t perLine) {
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

/// Returns the address of an element in memory, and its place in shared memory.
std::pair<Value, Value> Filler::placesOf(const Position &position) {
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

/// Creates a copy of one or more elements.
void Filler::copy(const Position &position, Type type, uint64_t alignment) {
  auto [from, to] = placesOf(position);
  auto load = builder.create<LLVM::LoadOp>(location, type, from, alignment);
  load.setInvariant(true);
  builder.create<LLVM::StoreOp>(location, load, to, std::max<uint64_t>(alignment, tile.bytes));
}

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
  Type wide = VectorType::get({widestAccess / 4}, builder.getI32Type());
  Value all = isTouched(first.place, count, mayLeave);
  if (!all)
    return copy(first, wide, widestAccess);
  auto branch = builder.create<scf::IfOp>(location, all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard outside(builder);
  builder.setInsertionPoint(branch.thenYield());
  copy(first, wide, widestAccess);
  builder.setInsertionPoint(branch.elseYield());
  for (int64_t element = 0; element < count; ++element) {
    Position next = first;
    next.place[tile.line] = builder.create<arith::AddIOp>(location, column, constant(element));
    copyIf(isTouched(next.place, 1, mayLeave), next);
  }
}

/// Creates `count` copies, which all threads share among them.
void Filler::inRounds(int64_t count, llvm::function_ref<void(Value)> copyOne) {
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

/// Creates the copy of lines by one thread each, and of what is left of them by all threads. Lines
/// that follow each other are copied by different warps, which start few copies each then.
void Filler::copyRows() {
  int64_t warps = filling.count() / warpThreads, all = tile.extent[tile.line];
  Value own = thread;
  if (filling.count() % warpThreads == 0 && warps != 1) {
    Value size = constant(warpThreads);
    Value lane = builder.create<arith::RemUIOp>(location, thread, size);
    Value warp = builder.create<arith::DivUIOp>(location, thread, size);
    thread = builder.create<arith::AddIOp>(
        location, builder.create<arith::MulIOp>(location, lane, constant(warps)), warp);
  }
  inRounds(tile.lines(), [&](Value number) { copyBulk(number); });
  thread = own;
  if (int64_t rest = all - tile.bulk->length())
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
  thread = threadNumber();
  createStrides();
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
