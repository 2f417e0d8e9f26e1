//===- PlaneCopy.cpp - The copy of a plane into a ring --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageSteps/PlaneCopy.h"

#include "compiler/Transforms/StageLoads/TileCopier.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/image/launch_limits.h"
#include <limits>

using namespace mlir;
using namespace regrain;

using Predicate = arith::CmpIPredicate;

/// Returns where the last piece of 16 bytes of an aligned line ends, in elements.
static int64_t endOfLine(const Tile &tile) {
  return llvm::alignTo(tile.shift + tile.extent[tile.line], widestAccess / tile.bytes);
}

int64_t MarchedTile::span() const {
  int64_t most = 0;
  for (const TileLoad &load : tile.loads)
    most = std::max(most, load.first[stepDimension]);
  return most + 1;
}

int64_t MarchedTile::tail() const {
  return plane.isAligned ? std::max<int64_t>(endOfLine(plane) - plane.pitch, 0) : 0;
}

uint64_t MarchedTile::bytes() const {
  return llvm::alignTo((places() * plane.slots() + tail()) * plane.bytes, plane.arrayAlignment());
}

void regrain::closeUp(Tile &tile) {
  int64_t start = llvm::alignDown(tile.shift, widestAccess / tile.bytes);
  tile.pitch = llvm::alignTo(endOfLine(tile) - start, memoryLine / tile.bytes);
}

namespace {

class PlaneCopier : TileCopier {
public:
  PlaneCopier(OpBuilder &builder, const MarchedTile &marched, Value shared, Value number,
              Filling &filling)
      : TileCopier(builder, marched.plane, shared, filling), marched(marched), number(number) {}

  void run(Value counter);

private:
  struct Ends {
    Value first, last; ///< elements of a line; the first is behind the last if there are none
  };

  ThreadBox boxOf(const LineLoads &loads, Value counter);
  Value areActive(const LineLoads &loads, const ThreadBox &box, const Coordinates &place);
  Ends endsOf(const Coordinates &place);
  Position planePosition(Value part, int64_t perLine);
  void copyIf(Value condition, llvm::function_ref<void()> copyIt);
  void copyLine(Value line);
  void copyAligned(Value piece);
  void copyElement(Value element);

  const MarchedTile &marched;
  Value number;                 ///< of the plane
  SmallVector<ThreadBox> boxes; ///< for each group of loads
};

} // namespace

/// Creates the box of the threads that load from the plane, in the step in which they do.
ThreadBox PlaneCopier::boxOf(const LineLoads &loads, Value counter) {
  Value step = less(number, loads.first[stepDimension]);
  IRMapping known;
  known.map(counter, step);
  ThreadBox box = createBox(builder, loads.passing, filling.threads,
                            ArrayRef(filling.block).take_front(3), known);
  box.exists = both(isBelow(step, filling.block[stepDimension]), box.exists);
  return box;
}

/// Creates what tells whether threads load from the line.
Value PlaneCopier::areActive(const LineLoads &loads, const ThreadBox &box,
                             const Coordinates &place) {
  Value active = box.exists;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    int64_t count = filling.block[dimension];
    Value lo = box.lo[dimension], hi = box.hi[dimension];
    bool isAlong = dimension == tile.line || !tile.hasStride(dimension);
    if (isAlong) {
      if (lo || hi)
        active = both(
            active, compare(Predicate::sle, lo ? lo : constant(0), hi ? hi : constant(count - 1)));
      continue;
    }
    Value own = less(place[dimension], loads.first[dimension]);
    if (tile.extent[dimension] != count)
      active = both(active, isBelow(own, count));
    if (lo)
      active = both(active, compare(Predicate::sge, own, lo));
    if (hi)
      active = both(active, compare(Predicate::sle, own, hi));
  }
  return active;
}

/// Creates the elements of a line with which the copy begins and ends.
PlaneCopier::Ends PlaneCopier::endsOf(const Coordinates &place) {
  Ends ends = {constant(std::numeric_limits<int32_t>::max()), constant(-1)};
  for (auto [loads, box] : llvm::zip_equal(marched.loads, boxes)) {
    Value active = areActive(loads, box, place);
    auto element = [&](Value coordinate, int64_t all, int64_t distance) {
      Value own = coordinate ? coordinate : constant(all);
      if (tile.step != 1)
        own = create<arith::MulIOp>(own, constant(tile.step));
      return less(own, -distance);
    };
    Value first = element(box.lo[tile.line], 0, loads.low),
          last = element(box.hi[tile.line], filling.block[tile.line] - 1, loads.high);
    ends.first = builder.create<arith::SelectOp>(
        location, active, create<arith::MinSIOp>(ends.first, first), ends.first);
    ends.last = builder.create<arith::SelectOp>(location, active,
                                                create<arith::MaxSIOp>(ends.last, last), ends.last);
  }
  return ends;
}

PlaneCopier::Position PlaneCopier::planePosition(Value part, int64_t perLine) {
  Position position = positionOf(part, perLine);
  position.place[stepDimension] = number;
  return position;
}

void PlaneCopier::copyIf(Value condition, llvm::function_ref<void()> copyIt) {
  auto branch = builder.create<scf::IfOp>(location, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard outside(builder);
  builder.setInsertionPoint(branch.thenYield());
  copyIt();
}

/// Creates the copy of a line at once.
void PlaneCopier::copyLine(Value line) {
  Position position = planePosition(line, 1);
  Ends ends = endsOf(position.place);
  copyIf(compare(Predicate::sle, ends.first, ends.last), [&] {
    int64_t perPiece = widestAccess / tile.bytes;
    auto aligned = [&](Value element, int64_t distance) {
      return create<arith::AndIOp>(less(element, -tile.shift - distance), constant(-perPiece));
    };
    Value start = aligned(ends.first, 0), end = aligned(ends.last, perPiece);
    position.place[tile.line] = less(start, tile.shift);
    auto [from, to] = placesOf(position);
    Value count = create<arith::SubIOp>(end, start);
    Value bytes = wide(create<arith::MulIOp>(count, constant(tile.bytes)));
    builder.create<LLVM::MemcpyOp>(location, to, from, bytes, /*isVolatile=*/false);
  });
}

/// Creates the copy of an aligned piece of 16 bytes.
void PlaneCopier::copyAligned(Value piece) {
  int64_t perPiece = widestAccess / tile.bytes;
  Position position = planePosition(piece, tile.widePerLine());
  Value &column = position.place[tile.line];
  column = less(create<arith::MulIOp>(column, constant(perPiece)), tile.shift);
  Ends ends = endsOf(position.place);
  Value begins = compare(Predicate::sge, less(column, 1 - perPiece), ends.first);
  copyIf(both(begins, compare(Predicate::sle, column, ends.last)), [&] { copyPiece(position); });
}

void PlaneCopier::copyElement(Value element) {
  Position position = planePosition(element, tile.extent[tile.line]);
  Value column = position.place[tile.line];
  Ends ends = endsOf(position.place);
  Value begins = compare(Predicate::sge, column, ends.first);
  copyIf(both(begins, compare(Predicate::sle, column, ends.last)),
         [&] { copy(position, tile.copiedType(), tile.alignment()); });
}

void PlaneCopier::run(Value counter) {
  start();
  for (const LineLoads &loads : marched.loads)
    boxes.push_back(boxOf(loads, counter));
  if (tile.bulk)
    inLines([&](Value line) { copyLine(line); });
  else if (tile.isAligned)
    inRounds(tile.widePerLine() * tile.lines(), [&](Value piece) { copyAligned(piece); });
  else
    inRounds(tile.elements(), [&](Value element) { copyElement(element); });
}

void regrain::copyPlane(OpBuilder &builder, const MarchedTile &marched, Value shared, Value number,
                        Value counter, Filling &filling) {
  PlaneCopier(builder, marched, shared, number, filling).run(counter);
}
