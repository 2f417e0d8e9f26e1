//===- TiledLoops.cpp - Which loops get tiles -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoops/TiledLoops.h"

#include "compiler/Analysis/Reuse.h"
#include "compiler/Target/Limits.h"
#include "compiler/Transforms/StageLoads/TileMemory.h"
#include "compiler/Transforms/StageLoads/TouchedLines.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

/// Iterations of a tile: fewer if shared memory is short, more if threads would copy nothing.
static constexpr int64_t usualIterations = 16, leastIterations = 8, mostIterations = 128;

/// Elements of iterations that are farther apart share no line.
static constexpr int64_t mostStep = 4096;

/// What limits the code of a copy.
static constexpr size_t mostLoads = 128;
static constexpr int64_t mostRounds = 16; ///< copies of a thread

size_t StagedLoop::loads() const {
  size_t count = 0;
  for (const Tile &tile : tiles)
    count += tile.loads.size();
  return count;
}

uint64_t StagedLoop::bytes() const {
  uint64_t bytes = 0;
  for (const Tile &tile : tiles)
    bytes += llvm::alignTo(2 * tile.slots() * tile.bytes, tile.arrayAlignment());
  return bytes;
}

TiledLoops::TiledLoops(grain::KernelOp kernel, bool inBulk)
    : kernel(kernel), inBulk(inBulk), threads(kernel.blocks().threads()), accesses(kernel),
      forms(kernel), uniformity(kernel), recomputation(threads),
      sharedBytes(sharedBytesOf(kernel) + (inBulk ? bulkBytes : 0)) {}

/// Determines the number of threads, and refuses what may keep threads from meeting.
std::optional<Refusal> TiledLoops::checkKernel() {
  std::optional<std::array<int64_t, 3>> known = knownBlockOf(threads);
  if (!known)
    return none(threads, "the number of threads of a block is not known");
  llvm::copy(*known, block.begin());
  if (auto found = findHindrance(kernel))
    return none(found->first, found->second);
  return std::nullopt;
}

/// Returns what in a loop speaks against tiles, as one clause.
std::optional<StringRef> TiledLoops::objectionToBody(scf::ForOp loop) {
  if (overlap(uniformity.ofControl(loop), Dependence::Threads | Dependence::ThreadMemory))
    return "threads of a block may run it for different numbers of iterations";
  Type type = loop.getInductionVar().getType();
  if (!type.isIndex() && !type.isInteger(32) && !type.isInteger(64))
    return "its counter has neither 32 nor 64 bits";
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0 || *step > mostStep)
    return "its step is not a small constant";
  if (!isPlain(loop, accesses))
    return "it contains a barrier, an atomic or volatile access, or a loop of unknown length";
  return std::nullopt;
}

/// Determines the conditions around a loop.
std::optional<StringRef> TiledLoops::addGuard(StagedLoop &staged) {
  std::optional<LoadGuard> guard = guardOf(staged.tiled.loop, threads);
  if (!guard)
    return "it stands in another loop";
  staged.guard = std::move(*guard);
  if (llvm::none_of(staged.guard, [&](const GuardCondition &condition) {
        return overlap(uniformity.of(condition.value),
                       Dependence::Threads | Dependence::ThreadMemory);
      }))
    return std::nullopt;
  for (const GuardCondition &condition : staged.guard)
    if (!addExtremes(condition, threads, forms, uniformity, staged.extremes))
      return "its condition is not a conjunction of linear comparisons";
  if (!llvm::all_of(staged.extremes, [&](const Extreme &extreme) {
        return recomputation.isPossible(extreme.comparison.value);
      }))
    return "its condition depends on more than coordinates and arguments";
  return std::nullopt;
}

bool TiledLoops::isWorthIt(const Tile &tile) const {
  int64_t copied = tile.isAligned ? tile.widePerLine() * tile.lines() : tile.elements();
  return isShared(tile, block) &&
         llvm::divideCeil(copied, block[0] * block[1] * block[2]) <= mostRounds;
}

/// Rows of iterations are read by threads that are rows apart, in different banks.
static void padRows(Tile &tile) {
  if (tile.line != stepDimension || tile.lines() == 1 || widestAccess % tile.bytes != 0)
    return;
  int64_t wide = widestAccess / tile.bytes;
  tile.pitch = (llvm::alignTo(tile.pitch, wide) / wide | 1) * wide;
}

/// Forms the tiles of so many iterations.
std::optional<StringRef> TiledLoops::formTilesOf(StagedLoop &staged, int64_t iterations) {
  staged.tiled.iterations = block[stepDimension] = iterations;
  staged.addresses =
      std::make_unique<LoadAddresses>(threads, forms, uniformity, recomputation, staged.tiled);
  std::optional<StringRef> objection = "it loads nothing from global memory";
  SmallVector<StageableLoad> candidates;
  for (auto load : staged.tiled.loop.getBody()->getOps<LLVM::LoadOp>()) {
    std::optional<Access> access = accesses.of(load);
    if (!access || !isInGlobal(*access) || candidates.size() == mostLoads)
      continue;
    std::optional<StringRef> own = objectionTo(*access);
    std::optional<LoadAddress> address;
    if (!own)
      address = staged.addresses->of(load, load.getAddr());
    if (address)
      candidates.push_back({load, *wholeBytes(load.getType()), *address, {}});
    else
      objection =
          own ? *own
              : "the address of a load is not known to be a sum of products of its counter, "
                "coordinates and arguments";
  }
  staged.tiles.clear();
  std::optional<StringRef> notInBulk;
  for (Tile &tile : formTiles(candidates, *staged.addresses, block)) {
    alignLines(tile, *staged.addresses, alignmentOf(kernel, tile.base));
    padRows(tile);
    if (!isWorthIt(tile))
      continue;
    if (std::optional<StringRef> own = inBulk ? chooseBulk(tile, block) : std::nullopt)
      notInBulk = own;
    staged.tiles.push_back(std::move(tile));
  }
  if (inBulk && notInBulk &&
      llvm::none_of(staged.tiles, [](const Tile &tile) { return tile.bulk; }))
    return notInBulk;
  if (!staged.tiles.empty())
    return std::nullopt;
  return candidates.empty() ? objection : "threads of a block load hardly anything in common";
}

static bool isLonger(scf::ForOp loop, int64_t iterations) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound());
  return !lower || !upper || *lower < *upper - iterations;
}

/// Adds a loop to those found. Otherwise returns what speaks against it, as one clause.
std::optional<StringRef> TiledLoops::add(scf::ForOp loop) {
  if (std::optional<StringRef> objection = objectionToBody(loop))
    return objection;
  StagedLoop staged;
  staged.tiled = {loop, *getConstantIntValue(loop.getStep())};
  if (std::optional<StringRef> objection = addGuard(staged))
    return objection;
  auto fits = [&] { return sharedBytes + staged.bytes() <= mostDeclaredShared; };
  int64_t iterations = usualIterations;
  if (std::optional<StringRef> objection = formTilesOf(staged, iterations))
    return objection;
  if (!fits())
    if (auto objection = formTilesOf(staged, iterations = leastIterations); objection || !fits())
      return "the block's shared memory does not suffice";
  auto copiesLittle = [&](const Tile &tile) {
    return 2 * tile.elements() <= block[0] * block[1] * block[2];
  };
  while (iterations < mostIterations && llvm::all_of(staged.tiles, copiesLittle))
    if (formTilesOf(staged, iterations *= 2) || !fits())
      return "the block's shared memory does not suffice";
  if (!isLonger(loop, 2 * iterations * staged.tiled.step))
    return "it has too few iterations";
  loops.push_back(std::move(staged));
  return std::nullopt;
}

/// Keeps one loop in each operation of the threads' body, and as many as shared memory allows.
void TiledLoops::choose() {
  std::vector<StagedLoop> chosen;
  for (StagedLoop &staged : loops) {
    auto same = llvm::find_if(chosen, [&](const StagedLoop &other) {
      return other.outermost(threads) == staged.outermost(threads);
    });
    if (same == chosen.end())
      chosen.push_back(std::move(staged));
    else if (same->loads() < staged.loads())
      *same = std::move(staged);
  }
  uint64_t bytes = sharedBytes;
  llvm::erase_if(chosen, [&](const StagedLoop &staged) {
    if (bytes + staged.bytes() > mostDeclaredShared)
      return true;
    bytes += staged.bytes();
    return false;
  });
  loops = std::move(chosen);
}

std::optional<Refusal> TiledLoops::find() {
  if (auto refusal = checkKernel())
    return refusal;
  std::optional<Refusal> first;
  threads.walk([&](scf::ForOp loop) { // inner loops first
    if (std::optional<StringRef> objection = add(loop); objection && !first)
      first = none(loop, "no loop can be staged; this one cannot, because " + *objection);
  });
  choose();
  if (!loops.empty())
    return std::nullopt;
  return first ? *first : none(kernel, "the kernel has no counting loop");
}
