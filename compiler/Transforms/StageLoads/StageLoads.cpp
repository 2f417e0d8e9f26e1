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
#include "compiler/Transforms/StageLoads/TouchedLines.h"

using namespace mlir;
using namespace regrain;

namespace {

/// What limits the code of a copy.
constexpr size_t mostLoads = 64;
constexpr int64_t mostRounds = 12;  ///< elements that a thread copies
constexpr int64_t mostGuards = 128; ///< guards that a thread computes

class Staging {
public:
  Staging(grain::KernelOp kernel, bool inBulk)
      : kernel(kernel), inBulk(inBulk), threads(kernel.blocks().threads()), accesses(kernel),
        forms(kernel), uniformity(kernel), recomputation(threads),
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
  std::vector<Tile> choose();
  void stage(OpBuilder &builder, ArrayRef<Tile> tiles);

  grain::KernelOp kernel;
  bool inBulk; ///< rows are copied at once
  grain::ThreadsOp threads;
  Accesses accesses;
  AffineForms forms;
  Uniformity uniformity;
  Recomputation recomputation;
  LoadAddresses addresses;
  TilePlace block = {1, 1, 1, 1};
  SmallVector<StageableLoad> candidates;
  std::optional<Refusal> first; ///< what speaks against the first load
};

/// Determines the number of threads, and refuses what may keep a load from running.
std::optional<Refusal> Staging::checkKernel() {
  std::optional<std::array<int64_t, 3>> known = knownBlockOf(threads);
  if (!known)
    return none(threads, "the number of threads of a block is not known");
  llvm::copy(*known, block.begin());
  if (Operation *op = findEndOfThread(kernel))
    return none(op, "the kernel may end a thread here, before it loads");
  return std::nullopt;
}

/// Adds a load to the candidates. Otherwise returns why it is not staged, as one clause.
std::optional<StringRef> Staging::objectionTo(const Access &access) {
  auto load = cast<LLVM::LoadOp>(access.op);
  if (std::optional<StringRef> objection = regrain::objectionTo(access))
    return objection;
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
  candidates.push_back({load, *wholeBytes(load.getType()), *address, *guard});
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
  if (!isShared(tile, block))
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

/// Returns the tiles to stage, as far as shared memory allows.
std::vector<Tile> Staging::choose() {
  uint64_t bytes = sharedBytesOf(kernel) + (inBulk ? bulkBytes : 0);
  std::vector<Tile> chosen, tiles = formTiles(candidates, addresses, block);
  if (tiles.empty() && !candidates.empty() && !first)
    first = none(candidates.front().load,
                 "no load can be staged; this one cannot, because neighbouring threads do not "
                 "load neighbouring elements");
  for (Tile &tile : tiles) {
    alignLines(tile, addresses, alignmentOf(kernel, tile.base));
    std::optional<StringRef> objection = objectionTo(tile);
    if (!objection && inBulk)
      objection = chooseBulk(tile, block);
    uint64_t with = llvm::alignTo(bytes, tile.arrayAlignment()) + bytesOf(tile);
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

void Staging::stage(OpBuilder &builder, ArrayRef<Tile> tiles) {
  builder.setInsertionPoint(frontBehindAllocations(threads.getBody().front()));
  Filling filling = {threads, block, addresses, forms, uniformity};
  SmallVector<Value> arrays;
  for (const Tile &tile : tiles) {
    arrays.push_back(createTileArray(threads, tile, stagedName));
    fillTile(builder, tile, arrays.back(), filling);
  }
  builder.create<grain::BarrierOp>(threads.getLoc(), threads.getBody().getArguments());
  SmallVector<Value> coordinates(tileDimensions);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (block[dimension] != 1)
      coordinates[dimension] = threads.getBody().getArgument(dimension);
  for (auto [tile, array] : llvm::zip(tiles, arrays))
    redirectLoads(builder, tile, array, coordinates);
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

std::optional<Refusal> regrain::stageLoads(grain::KernelOp kernel, bool inBulk) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several grains");
  return Staging(kernel, inBulk).run();
}
