//===- StageSteps.cpp - Planes of a march in shared memory ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageSteps/StageSteps.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/StagedName.h"
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"
#include "compiler/Transforms/StageLoads/TileMemory.h"
#include "compiler/Transforms/StageSteps/MarchedTiles.h"
#include "compiler/Transforms/StepLoops.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Gives one loop its rings.
class StepStager {
public:
  StepStager(grain::ThreadsOp threads, const March &march, const RingForm &form, Filling filling)
      : threads(threads), march(march), form(form), filling(std::move(filling)),
        loop(march.tiled.loop), location(loop.getLoc()) {}

  /// Adds what the rings take of dynamic shared memory to `dynamicBytes`.
  void run(uint64_t &dynamicBytes);

private:
  Value constant(OpBuilder &builder, int64_t value) {
    return builder.create<arith::ConstantIntOp>(location, value, 32);
  }
  Value after(OpBuilder &builder, Value number, int64_t distance) {
    return distance ? builder.create<arith::AddIOp>(location, number, constant(builder, distance))
                          .getResult()
                    : number;
  }
  Value createRing(const MarchedTile &marched, uint64_t &dynamicBytes);
  Value createBuffer(OpBuilder &builder, const MarchedTile &marched, Value ring, Value number);
  void fill(OpBuilder &builder, const MarchedTile &marched, Value ring, Value number);
  void fillFirst(const MarchedTile &marched, Value ring);
  void fillNext(OpBuilder &builder, const MarchedTile &marched, Value ring);
  void redirect(OpBuilder &builder, const MarchedTile &marched, Value ring);

  grain::ThreadsOp threads;
  const March &march;
  const RingForm &form;
  Filling filling;
  scf::ForOp loop;
  Location location;
};

} // namespace

/// Creates the array of a ring, whose name says how many planes are copied ahead.
Value StepStager::createRing(const MarchedTile &marched, uint64_t &dynamicBytes) {
  std::string name = ringName.str();
  if (form.ahead != 1)
    name += (aheadInfix + Twine(form.ahead)).str();
  if (!form.dynamicBytes)
    return createTileArray(threads, marched.plane, name, marched.places(), marched.tail());
  OpBuilder before = OpBuilder::atBlockBegin(threads->getBlock());
  uint64_t alignment = marched.plane.arrayAlignment();
  int32_t start = llvm::alignTo(dynamicBytes, alignment);
  dynamicBytes = start + marched.bytes();
  auto pointer = LLVM::LLVMPointerType::get(threads.getContext(), sharedSpace);
  Value all = before.create<grain::DynamicSharedOp>(
      location, pointer, name + (form.inBulk ? bulkSuffix.str() : std::string()), alignment);
  return before.create<LLVM::GEPOp>(location, pointer, before.getI8Type(), all,
                                    ArrayRef<LLVM::GEPArg>{start}, /*inbounds=*/true);
}

/// Creates the address of the place in the ring at which a plane lies.
Value StepStager::createBuffer(OpBuilder &builder, const MarchedTile &marched, Value ring,
                               Value number) {
  Value place =
      builder.create<arith::RemUIOp>(location, number, constant(builder, marched.places()));
  Value slots =
      builder.create<arith::MulIOp>(location, place, constant(builder, marched.plane.slots()));
  return createPlace(builder, marched.plane, ring, {slots});
}

void StepStager::fill(OpBuilder &builder, const MarchedTile &marched, Value ring, Value number) {
  // Addresses begin at the first step.
  filling.known.map(loop.getInductionVar(), constant(builder, 0));
  copyPlane(builder, marched, createBuffer(builder, marched, ring, number), number,
            loop.getInductionVar(), filling);
}

/// Creates the copies of the planes that the first step reads.
void StepStager::fillFirst(const MarchedTile &marched, Value ring) {
  OpBuilder builder(loop);
  auto planes =
      builder.create<scf::ForOp>(location, constant(builder, 0),
                                 constant(builder, marched.places() - 1), constant(builder, 1));
  OpBuilder body(planes.getBody()->getTerminator());
  fill(body, marched, ring, planes.getInductionVar());
}

/// Creates the copy of a plane that a later step adds.
void StepStager::fillNext(OpBuilder &builder, const MarchedTile &marched, Value ring) {
  Value next = after(builder, loop.getInductionVar(), marched.places() - 1);
  Value exists = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ult, next,
                                               constant(builder, marched.planes()));
  auto branch = builder.create<scf::IfOp>(location, exists, /*withElseRegion=*/false);
  OpBuilder inside(branch.thenYield());
  fill(inside, marched, ring, next);
}

/// Lets the loads of each plane read from its place in the ring.
void StepStager::redirect(OpBuilder &builder, const MarchedTile &marched, Value ring) {
  SmallVector<Value> coordinates(tileDimensions);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (filling.block[dimension] != 1)
      coordinates[dimension] = threads.getBody().getArgument(dimension);
  for (int64_t ahead = 0; ahead < marched.span(); ++ahead) {
    Tile plane = marched.plane;
    plane.loads.clear();
    for (TileLoad load : marched.tile.loads)
      if (std::exchange(load.first[stepDimension], 0) == ahead)
        plane.loads.push_back(load);
    if (plane.loads.empty())
      continue;
    Value number = after(builder, loop.getInductionVar(), ahead);
    redirectLoads(builder, plane, createBuffer(builder, marched, ring, number), coordinates);
  }
}

void StepStager::run(uint64_t &dynamicBytes) {
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  builder.create<grain::BarrierOp>(location, threads.getBody().getArguments());
  SmallVector<Value> rings;
  for (const MarchedTile &marched : march.tiles) {
    rings.push_back(createRing(marched, dynamicBytes));
    fillFirst(marched, rings.back());
    fillNext(builder, marched, rings.back());
  }
  for (auto [marched, ring] : llvm::zip_equal(march.tiles, rings))
    redirect(builder, marched, ring);
  loop->removeAttr(stepsAttribute);
  loop->setAttr(ringsAttribute, builder.getUnitAttr());
}

static std::optional<Refusal> stage(grain::KernelOp kernel, const RingForm &form,
                                    const FrozenRewritePatternSet &patterns) {
  if (failed(unrollInSteps(kernel, patterns)))
    return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
  MarchSearch search(kernel, form);
  if (auto refusal = search.find())
    return refusal;
  uint64_t dynamicBytes = 0;
  for (const March &march : search.chosen())
    StepStager(kernel.blocks().threads(), march, form, search.fillingOf(march)).run(dynamicBytes);
  return std::nullopt;
}

std::optional<Refusal> regrain::stageSteps(grain::KernelOp kernel, const RingForm &form,
                                           const FrozenRewritePatternSet &patterns) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several grains");
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  std::optional<Refusal> refusal = stage(kernel, form, patterns);
  if (refusal)
    kernel.getBody().takeBody(before->getBody());
  return refusal;
}
