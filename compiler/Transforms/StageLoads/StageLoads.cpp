//===- StageLoads.cpp - Footprints in shared memory -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/StageLoads.h"

#include "compiler/Analysis/Reuse.h"
#include "compiler/DeviceIR/StagedName.h"
#include "compiler/Target/Limits.h"
#include "compiler/Transforms/StageLoads/FillTile.h"
#include "compiler/Transforms/StageLoads/TileMemory.h"

using namespace mlir;
using namespace regrain;

namespace {

/// What limits the code of a copy.
constexpr size_t mostLoads = 64;
constexpr int64_t mostRounds = 12;  ///< elements that a thread copies
constexpr int64_t mostGuards = 128; ///< guards that a thread computes

class Staging {
public:
  explicit Staging(grain::KernelOp kernel)
      : kernel(kernel), threads(kernel.blocks().threads()), accesses(kernel), forms(kernel),
        uniformity(kernel), recomputation(threads),
        addresses(threads, forms, uniformity, recomputation) {}

  std::optional<Refusal> run();

private:
  Refusal none(Operation *op, const Twine &reason) {
    return refuse(op, RefusalKind::NothingStaged, reason);
  }
  std::optional<Refusal> checkKernel();
  std::optional<StringRef> objectionTo(const Access &load);
  void collect();
  std::optional<StringRef> objectionTo(const Tile &tile) const;
  uint64_t bytesOf(const Tile &tile) const { return tile.slots() * tile.bytes; }
  uint64_t alignmentOf(Value base);
  std::vector<Tile> choose();
  void stage(OpBuilder &builder, ArrayRef<Tile> tiles);
  void redirect(OpBuilder &builder, const Tile &tile, Value shared);

  grain::KernelOp kernel;
  grain::ThreadsOp threads;
  Accesses accesses;
  AffineForms forms;
  Uniformity uniformity;
  Recomputation recomputation;
  LoadAddresses addresses;
  TilePlace block = {1, 1, 1};
  SmallVector<StageableLoad> candidates;
  std::optional<Refusal> first; ///< what speaks against the first load
};

/// Determines the number of threads, and refuses what may keep a load from running.
std::optional<Refusal> Staging::checkKernel() {
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::optional<int32_t> count = threads.getKnownIterations(dimension);
    if (!count)
      return none(threads, "the number of threads of a block is not known");
    block[dimension] = *count;
  }
  std::optional<Refusal> refusal;
  kernel.walk([&](Operation *op) {
    if (!mayEndThread(op))
      return WalkResult::advance();
    refusal = none(op, "the kernel may end a thread here, before it loads");
    return WalkResult::interrupt();
  });
  return refusal;
}

/// Adds a load to the candidates. Otherwise returns why it is not staged, as one clause.
std::optional<StringRef> Staging::objectionTo(const Access &access) {
  auto load = cast<LLVM::LoadOp>(access.op);
  if (access.isOrdered || load.getNontemporal())
    return "it is volatile or atomic, or has a hint of its own";
  if (!load.getInvariant())
    return "the kernel may write what it loads";
  std::optional<int64_t> bytes = wholeBytes(load.getType());
  if (!bytes)
    return "its type is not a number of 1 to 16 bytes";
  std::optional<LoadGuard> guard = guardOf(load, threads);
  if (!guard)
    return "it stands in a loop";
  if (!llvm::all_of(*guard, [&](const GuardCondition &condition) {
        return recomputation.isPossible(condition.value);
      }))
    return "its condition depends on more than coordinates and arguments";
  std::optional<LoadAddress> address = addresses.of(load, load.getAddr());
  if (!address)
    return "its address is not known to be a sum of products of coordinates and arguments";
  if (candidates.size() == mostLoads)
    return "there are too many loads";
  candidates.push_back({load, *bytes, *address, *guard});
  return std::nullopt;
}

void Staging::collect() {
  threads.walk([&](LLVM::LoadOp load) {
    std::optional<Access> access = accesses.of(load);
    if (!access || !isInGlobal(*access))
      return;
    if (std::optional<StringRef> objection = objectionTo(*access); objection && !first)
      first = none(load, "no load can be staged; this one cannot, because " + *objection);
  });
}

/// Returns why a tile is not worth it or not possible, as one clause, or nothing.
std::optional<StringRef> Staging::objectionTo(const Tile &tile) const {
  int64_t count = block[0] * block[1] * block[2];
  int64_t rounds = llvm::divideCeil(tile.elements(), count);
  if (2 * int64_t(tile.loads.size()) * count < 3 * tile.elements())
    return "threads of a block load hardly anything in common";
  if (rounds > mostRounds)
    return "a block loads too many elements for its threads";
  for (const TileLoad &load : tile.loads) {
    if (!load.guard.empty() && rounds * int64_t(tile.loads.size()) > mostGuards)
      return "a thread would have to compute too many conditions";
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      for (const GuardCondition &condition : load.guard)
        if (!tile.hasStride(dimension) && block[dimension] != 1 &&
            overlap(uniformity.of(condition.value),
                    Dependence(uint8_t(Dependence::ThreadX) << dimension)))
          return "its condition tells threads apart that load from the same address";
  }
  return std::nullopt;
}

/// Returns the bytes of which a pointer is known to be a multiple.
uint64_t Staging::alignmentOf(Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  auto alignment = argument ? kernel.getArgAttrOfType<IntegerAttr>(
                                  argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName())
                            : IntegerAttr();
  return alignment ? alignment.getValue().getZExtValue() : 1;
}

/// Returns the tiles to stage, as far as shared memory allows.
std::vector<Tile> Staging::choose() {
  uint64_t bytes = sharedBytesOf(kernel);
  std::vector<Tile> chosen, tiles = formTiles(candidates, addresses, block);
  if (tiles.empty() && !candidates.empty() && !first)
    first = none(candidates.front().load,
                 "no load can be staged; this one cannot, because neighbouring threads do not "
                 "load neighbouring elements");
  for (Tile &tile : tiles) {
    alignLines(tile, addresses, alignmentOf(tile.base));
    std::optional<StringRef> objection = objectionTo(tile);
    uint64_t with = llvm::alignTo(bytes, tileAlignment) + bytesOf(tile);
    if (!objection && with > mostDeclaredShared)
      objection = "the block's shared memory does not suffice";
    if (objection) {
      if (!first)
        first = none(tile.loads.front().load,
                     "no load can be staged; this one cannot, because " + *objection);
      continue;
    }
    bytes = with;
    chosen.push_back(std::move(tile));
  }
  return chosen;
}

/// Lets the loads of a tile read from shared memory.
void Staging::redirect(OpBuilder &builder, const Tile &tile, Value shared) {
  Location location = threads.getLoc();
  Type element = LLVM::LLVMArrayType::get(builder.getI8Type(), tile.bytes);
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantIntOp>(location, value, 32);
  };
  Value number;
  for (unsigned dimension : llvm::reverse(tile.order())) {
    int64_t extent = dimension == tile.line ? tile.pitch : tile.extent[dimension];
    if (number && extent != 1)
      number = builder.create<arith::MulIOp>(location, number, constant(extent));
    if (!tile.hasStride(dimension) || block[dimension] == 1)
      continue;
    Value own = threads.getBody().getArgument(dimension);
    if (dimension == tile.line && tile.step != 1)
      own = builder.create<arith::MulIOp>(location, own, constant(tile.step));
    number = number ? builder.create<arith::AddIOp>(location, number, own).getResult() : own;
  }
  Value own = builder.create<LLVM::GEPOp>(location, shared.getType(), element, shared,
                                          ArrayRef<LLVM::GEPArg>{number}, /*inbounds=*/true);
  for (const TileLoad &staged : tile.loads) {
    LLVM::LoadOp load = staged.load;
    OpBuilder at(load);
    Value from = at.create<LLVM::GEPOp>(load.getLoc(), shared.getType(), element, own,
                                        ArrayRef<LLVM::GEPArg>{int32_t(tile.slotOf(staged.first))},
                                        /*inbounds=*/true);
    auto read = at.create<LLVM::LoadOp>(load.getLoc(), load.getType(), from, tile.bytes);
    load.replaceAllUsesWith(read.getResult());
    load.erase();
  }
}

void Staging::stage(OpBuilder &builder, ArrayRef<Tile> tiles) {
  builder.setInsertionPoint(frontBehindAllocations(threads.getBody().front()));
  Filling filling = {threads, block, addresses, forms, uniformity};
  SmallVector<Value> arrays;
  for (const Tile &tile : tiles) {
    OpBuilder before = OpBuilder::atBlockBegin(threads->getBlock());
    arrays.push_back(before.create<grain::SharedOp>(
        threads.getLoc(), LLVM::LLVMPointerType::get(kernel.getContext(), sharedSpace), stagedName,
        LLVM::LLVMArrayType::get(tile.copiedType(), tile.slots()), tileAlignment));
    fillTile(builder, tile, arrays.back(), filling);
  }
  builder.create<grain::BarrierOp>(threads.getLoc(), threads.getBody().getArguments());
  for (auto [tile, array] : llvm::zip(tiles, arrays))
    redirect(builder, tile, array);
}

std::optional<Refusal> Staging::run() {
  if (auto refusal = checkKernel())
    return refusal;
  collect();
  std::vector<Tile> tiles = choose();
  if (tiles.empty())
    return first ? *first : none(kernel, "the kernel loads nothing from global memory");
  OpBuilder builder(kernel.getContext());
  stage(builder, tiles);
  return std::nullopt;
}

} // namespace

std::optional<Refusal> regrain::stageLoads(grain::KernelOp kernel) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several grains");
  return Staging(kernel).run();
}
