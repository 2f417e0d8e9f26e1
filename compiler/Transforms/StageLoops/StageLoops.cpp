//===- StageLoops.cpp - Tiles of loops in shared memory -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoops/StageLoops.h"

#include "compiler/DeviceIR/StagedName.h"
#include "compiler/Transforms/StageLoads/FillTile.h"
#include "compiler/Transforms/StageLoads/TileMemory.h"
#include "compiler/Transforms/StageLoops/TiledLoops.h"

using namespace mlir;
using namespace regrain;

namespace {

/// The copies of a tile: one is filled while another one is read.
constexpr int64_t copies = 2;

/// Iterations of a tile that are unrolled.
constexpr int32_t unrolled = 4;

/// Stages one loop.
class LoopStager {
public:
  LoopStager(grain::ThreadsOp threads, const StagedLoop &staged, TiledLoops &loops)
      : threads(threads), staged(staged), loops(loops), original(staged.tiled.loop),
        type(original.getInductionVar().getType()), location(original.getLoc()) {}

  void run();

private:
  Value constant(OpBuilder &builder, int64_t value) {
    return builder.create<arith::ConstantOp>(location, builder.getIntegerAttr(type, value));
  }
  template <class Op> Value create(OpBuilder &builder, Value first, Value second) {
    return builder.create<Op>(location, first, second);
  }
  Value compare(OpBuilder &builder, arith::CmpIPredicate predicate, Value first, Value second) {
    return builder.create<arith::CmpIOp>(location, predicate, first, second);
  }

  Value createAssumptions(OpBuilder &builder, Value condition);
  scf::ForOp createVersion(IRMapping &mapping);
  Value createCount(OpBuilder &builder, scf::ForOp loop);
  Value createBuffer(OpBuilder &builder, const Tile &tile, Value array, Value number);
  void fill(OpBuilder &builder, Value number);
  void fillIf(OpBuilder &builder, Value condition, Value number);
  void unroll(Block &body);
  SmallVector<Value> createCoordinates(OpBuilder &builder, Value iteration);
  void createIterations(OpBuilder &builder, scf::ForOp main, const IRMapping &outside);

  grain::ThreadsOp threads;
  const StagedLoop &staged;
  TiledLoops &loops;
  scf::ForOp original;
  Type type; ///< of the counter
  Location location;
  SmallVector<Value> arrays; ///< one for each tile
};

/// Replaces a condition by the branch that runs.
void takeBranch(scf::IfOp branch, bool holds) {
  Block *block = holds ? branch.thenBlock() : branch.elseBlock();
  auto yield = cast<scf::YieldOp>(block->getTerminator());
  branch->getBlock()->getOperations().splice(branch->getIterator(), block->getOperations(),
                                             block->begin(), yield->getIterator());
  branch.replaceAllUsesWith(yield.getOperands());
  branch.erase();
}

/// Creates what tells whether `condition` holds and addresses are what is assumed.
Value LoopStager::createAssumptions(OpBuilder &builder, Value condition) {
  IRMapping created;
  for (const AssumedDistance &assumed : staged.addresses->assumptions()) {
    auto wide = [&](Value value) -> Value {
      Value own = Recomputation::create(builder, value, created);
      Type i64 = builder.getI64Type();
      if (own.getType() == i64)
        return own;
      return assumed.isUnsigned ? builder.create<arith::ExtUIOp>(location, i64, own).getResult()
                                : builder.create<arith::ExtSIOp>(location, i64, own).getResult();
    };
    Value value = wide(assumed.value), other = wide(assumed.other);
    Value distance = builder.create<arith::ConstantIntOp>(location, assumed.distance, 64);
    Value holds = compare(builder, arith::CmpIPredicate::eq, value,
                          create<arith::AddIOp>(builder, other, distance));
    condition = builder.create<arith::SelectOp>(
        location, condition, holds, builder.create<arith::ConstantIntOp>(location, 0, 1));
  }
  return condition;
}

/// Creates the version for blocks in which all threads run the loop, if threads may differ in that.
/// Returns its loop; `mapping` gets what was copied.
scf::ForOp LoopStager::createVersion(IRMapping &mapping) {
  if (!staged.needsVersion())
    return original;
  Operation *outermost = staged.extremes.empty() ? original : staged.outermost(threads);
  OpBuilder builder(outermost);
  Value whole = createAssumptions(
      builder, createWholeBlock(builder, threads, staged.extremes, loops.threadsPerDimension()));
  auto version = builder.create<scf::IfOp>(location, outermost->getResultTypes(), whole,
                                           /*withElseRegion=*/true);
  outermost->replaceAllUsesWith(version);
  auto enter = [&](Block *block) {
    if (!block->empty())
      block->back().erase();
    builder.setInsertionPointToEnd(block);
  };
  enter(version.thenBlock());
  Operation *copy = builder.clone(*outermost, mapping);
  builder.create<scf::YieldOp>(location, copy->getResults());
  enter(version.elseBlock());
  auto yield = builder.create<scf::YieldOp>(location, outermost->getResults());
  outermost->moveBefore(yield);
  auto loop = cast<scf::ForOp>(mapping.lookup(original.getOperation()));
  if (staged.extremes.empty())
    return loop;
  SmallVector<std::pair<scf::IfOp, bool>> around;
  for (Region *region = loop->getParentRegion(); region != &version.getThenRegion();
       region = region->getParentRegion()) {
    auto branch = cast<scf::IfOp>(region->getParentOp());
    around.push_back({branch, region == &branch.getThenRegion()});
  }
  for (auto [branch, holds] : around)
    takeBranch(branch, holds);
  return loop;
}

/// Creates the number of iterations, as an unsigned number.
Value LoopStager::createCount(OpBuilder &builder, scf::ForOp loop) {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), one = constant(builder, 1);
  Value last = create<arith::SubIOp>(builder, create<arith::SubIOp>(builder, upper, lower), one);
  Value steps = create<arith::DivUIOp>(builder, last, constant(builder, staged.tiled.step));
  return builder.create<arith::SelectOp>(
      location, compare(builder, arith::CmpIPredicate::slt, lower, upper),
      create<arith::AddIOp>(builder, steps, one), constant(builder, 0));
}

/// Creates the address of the copy of a tile in which the tile with this number lies.
Value LoopStager::createBuffer(OpBuilder &builder, const Tile &tile, Value array, Value number) {
  Value copy = create<arith::AndIOp>(builder, number, constant(builder, copies - 1));
  Value slots = create<arith::MulIOp>(builder, copy, constant(builder, tile.slots()));
  if (type.isIndex())
    slots = builder.create<arith::IndexCastOp>(location, builder.getI64Type(), slots);
  return createPlace(builder, tile, array, {slots});
}

/// Creates the copy of the tiles with this number.
void LoopStager::fill(OpBuilder &builder, Value number) {
  for (auto [tile, array] : llvm::zip(staged.tiles, arrays)) {
    TilePlace block = loops.threadsPerDimension();
    block[stepDimension] = staged.tiled.iterations;
    Filling filling = {threads, block, *staged.addresses, loops.affineForms(),
                       loops.uniformityOfValues()};
    filling.known.map(original.getInductionVar(), number);
    fillTile(builder, tile, createBuffer(builder, tile, array, number), filling);
  }
}

void LoopStager::fillIf(OpBuilder &builder, Value condition, Value number) {
  auto branch = builder.create<scf::IfOp>(location, condition, /*withElseRegion=*/false);
  OpBuilder inside(branch.thenYield());
  fill(inside, number);
}

/// Lets the loop with this body be unrolled, if the program does not say how. So neighbouring
/// elements are read at once.
void LoopStager::unroll(Block &body) {
  MLIRContext *context = type.getContext();
  OpBuilder builder(context);
  auto count = LLVM::LoopUnrollAttr::get(context, nullptr, builder.getI32IntegerAttr(unrolled),
                                         nullptr, nullptr, nullptr, nullptr, nullptr);
  auto hints = body.getOps<grain::LoopHintOp>();
  if (hints.empty()) {
    builder.setInsertionPointToStart(&body);
    builder.create<grain::LoopHintOp>(
        location, LLVM::LoopAnnotationAttr::get(context, nullptr, nullptr, nullptr, count, nullptr,
                                                nullptr, nullptr, nullptr, nullptr, nullptr,
                                                nullptr, nullptr, nullptr, nullptr, {}));
    return;
  }
  grain::LoopHintOp hint = *hints.begin();
  auto own = dyn_cast<LLVM::LoopAnnotationAttr>(hint.getAnnotation());
  if (own && !own.getUnroll())
    hint.setAnnotationAttr(LLVM::LoopAnnotationAttr::get(
        context, own.getDisableNonforced(), own.getVectorize(), own.getInterleave(), count,
        own.getUnrollAndJam(), own.getLicm(), own.getDistribute(), own.getPipeline(),
        own.getPeeled(), own.getUnswitch(), own.getMustProgress(), own.getIsVectorized(),
        own.getStartLoc(), own.getEndLoc(), own.getParallelAccesses()));
}

/// Returns the coordinates of the thread, and the number of its iteration in the tile.
SmallVector<Value> LoopStager::createCoordinates(OpBuilder &builder, Value iteration) {
  SmallVector<Value> coordinates(tileDimensions);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (loops.threadsPerDimension()[dimension] != 1)
      coordinates[dimension] = threads.getBody().getArgument(dimension);
  coordinates[stepDimension] = iteration;
  if (type.isIndex())
    coordinates[stepDimension] =
        builder.create<arith::IndexCastOp>(location, builder.getI32Type(), iteration);
  else if (type.getIntOrFloatBitWidth() > 32)
    coordinates[stepDimension] =
        builder.create<arith::TruncIOp>(location, builder.getI32Type(), iteration);
  return coordinates;
}

/// Creates the iterations of a tile in the body of `main`, which counts tiles.
void LoopStager::createIterations(OpBuilder &builder, scf::ForOp main, const IRMapping &outside) {
  Value number = main.getInductionVar();
  SmallVector<Value> buffers;
  for (auto [tile, array] : llvm::zip(staged.tiles, arrays))
    buffers.push_back(createBuffer(builder, tile, array, number));
  Value first = create<arith::AddIOp>(
      builder, outside.lookupOrDefault(original.getLowerBound()),
      create<arith::MulIOp>(builder, number,
                            constant(builder, staged.tiled.iterations * staged.tiled.step)));
  auto inner = builder.create<scf::ForOp>(
      location, constant(builder, 0), constant(builder, staged.tiled.iterations),
      constant(builder, 1), main.getRegionIterArgs(),
      [&](OpBuilder &body, Location, Value iteration, ValueRange carried) {
        IRMapping mapping(outside);
        Value distance = create<arith::MulIOp>(body, iteration, constant(body, staged.tiled.step));
        mapping.map(original.getInductionVar(), create<arith::AddIOp>(body, first, distance));
        mapping.map(original.getRegionIterArgs(), carried);
        SmallVector<Value> coordinates = createCoordinates(body, iteration);
        Operation *last = &body.getBlock()->back();
        for (Operation &op : original.getBody()->getOperations())
          body.clone(op, mapping);
        unroll(*body.getBlock());
        OpBuilder addresses(body.getContext());
        addresses.setInsertionPointAfter(last);
        for (auto [tile, buffer] : llvm::zip(staged.tiles, buffers))
          redirectLoads(addresses, tile, buffer, coordinates, mapping);
      });
  builder.create<scf::YieldOp>(location, inner.getResults());
}

void LoopStager::run() {
  for (const Tile &tile : staged.tiles)
    arrays.push_back(createTileArray(threads, tile, ringName, copies));
  IRMapping mapping;
  scf::ForOp rest = createVersion(mapping);
  OpBuilder builder(rest);
  Value zero = constant(builder, 0), one = constant(builder, 1);
  Value count = createCount(builder, rest);
  Value length = constant(builder, staged.tiled.iterations);
  Value tiles = create<arith::DivUIOp>(builder, count, length);
  fillIf(builder, compare(builder, arith::CmpIPredicate::ne, tiles, zero), zero);
  auto main = builder.create<scf::ForOp>(location, zero, tiles, one, rest.getInitArgs(),
                                         [](OpBuilder &, Location, Value, ValueRange) {});
  OpBuilder body = OpBuilder::atBlockEnd(main.getBody());
  body.create<grain::BarrierOp>(location, threads.getBody().getArguments());
  Value next = create<arith::AddIOp>(body, main.getInductionVar(), one);
  fillIf(body, compare(body, arith::CmpIPredicate::slt, next, tiles), next);
  createIterations(body, main, mapping);
  // What is left starts behind the tiles. Behind all iterations, the counter may not exist.
  Value done = create<arith::MulIOp>(builder, tiles, length);
  Value start = create<arith::AddIOp>(
      builder, rest.getLowerBound(),
      create<arith::MulIOp>(builder, done, constant(builder, staged.tiled.step)));
  rest.getLowerBoundMutable().assign(builder.create<arith::SelectOp>(
      location, compare(builder, arith::CmpIPredicate::eq, done, count), rest.getUpperBound(),
      start));
  rest.getInitArgsMutable().assign(main.getResults());
}

} // namespace

std::optional<Refusal> regrain::stageLoops(grain::KernelOp kernel, bool inBulk) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several grains");
  TiledLoops loops(kernel, inBulk);
  if (auto refusal = loops.find())
    return refusal;
  for (const StagedLoop &staged : loops.chosen())
    LoopStager(kernel.blocks().threads(), staged, loops).run();
  return std::nullopt;
}
