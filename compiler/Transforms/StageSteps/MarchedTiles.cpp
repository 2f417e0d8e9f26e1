//===- MarchedTiles.cpp - Which loads of a march get rings ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageSteps/MarchedTiles.h"

#include "compiler/Target/Limits.h"
#include "compiler/Transforms/StageLoads/TileMemory.h"
#include "compiler/Transforms/StageLoads/TouchedLines.h"
#include "compiler/Transforms/StepLoops.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

/// What limits the code of a copy.
static constexpr size_t mostLoads = 64;
static constexpr int64_t mostRounds = 16; ///< copies of a thread, of one plane

/// The smallest pages that a device has, in bytes.
static constexpr int64_t pageBytes = 4096;

/// Returns the shared memory beside the rings that counts with them.
static uint64_t bytesBeside(grain::KernelOp kernel, const RingForm &form) {
  if (form.dynamicBytes)
    return 0;
  return sharedBytesOf(kernel) + (form.inBulk ? bulkBytes * form.ahead : 0);
}

MarchSearch::MarchSearch(grain::KernelOp kernel, const RingForm &form)
    : kernel(kernel), form(form), threads(kernel.blocks().threads()), accesses(kernel),
      forms(kernel), uniformity(kernel), recomputation(threads),
      sharedBytes(bytesBeside(kernel, form)),
      mostShared(form.dynamicBytes ? form.dynamicBytes : mostDeclaredShared) {}

Filling MarchSearch::fillingOf(const March &march) {
  TilePlace whole = block;
  whole[stepDimension] = march.tiled.iterations;
  return {threads, whole, *march.addresses, forms, uniformity};
}

/// Returns the first operation that concerns the program's dynamic shared memory, or null.
static Operation *findDynamicShared(grain::KernelOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    if (!isa<grain::DynamicSharedOp, grain::DynamicSharedSizeOp>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Determines the number of threads, and refuses what may keep threads from meeting.
std::optional<Refusal> MarchSearch::checkKernel() {
  std::optional<std::array<int64_t, 3>> known = knownBlockOf(threads);
  if (!known)
    return none(threads, "the number of threads of a block is not known");
  llvm::copy(*known, block.begin());
  if (auto found = findHindrance(kernel))
    return none(found->first, found->second);
  if (Operation *user = form.dynamicBytes ? findDynamicShared(kernel) : nullptr)
    return none(user, "the program uses dynamic shared memory itself");
  return std::nullopt;
}

/// Returns what speaks against rings in a loop over steps, as one clause.
std::optional<StringRef> MarchSearch::objectionToLoop(scf::ForOp loop) {
  if (loop->getParentOp() != threads)
    return "the loop over steps stands under a condition";
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1 ||
      !getConstantIntValue(loop.getUpperBound()) || !loop.getInductionVar().getType().isInteger(32))
    return "the number of steps is not known";
  if (!isPlain(loop, accesses))
    return "a step contains a barrier, an atomic or volatile access, or a loop of unknown length";
  return std::nullopt;
}

/// Returns the conditions between a loop and an operation in it, outermost first; nothing if
/// anything else decides whether and how often the operation runs.
static std::optional<LoadGuard> guardIn(scf::ForOp loop, Operation *op) {
  LoadGuard guard;
  for (Region *region = op->getParentRegion(); region != &loop.getRegion();
       region = region->getParentRegion()) {
    auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
    if (!branch)
      return std::nullopt;
    guard.push_back({branch.getCondition(), region == &branch.getThenRegion()});
  }
  std::reverse(guard.begin(), guard.end());
  return guard;
}

/// Adds a load to the candidates. Otherwise returns why it is not staged, as one clause.
std::optional<StringRef> MarchSearch::addLoad(LLVM::LoadOp load, March &march,
                                              GuardSolver &solver) {
  if (std::optional<StringRef> objection = regrain::objectionTo(*accesses.of(load)))
    return objection;
  std::optional<LoadGuard> guard = guardIn(march.tiled.loop, load);
  if (!guard)
    return "it stands in a loop of a step";
  std::optional<PassingThreads> threadsThatPass = solver.solve(*guard);
  if (!threadsThatPass)
    return "its condition is not a conjunction of comparisons of one coordinate each";
  std::optional<LoadAddress> address = march.addresses->of(load, load.getAddr());
  if (!address || !march.addresses->assumptions().empty())
    return "its address is not known to be a sum of products of coordinates and arguments";
  if (candidates.size() == mostLoads)
    return "there are too many loads";
  candidates.push_back({load, *wholeBytes(load.getType()), *address, *guard});
  passing[load] = std::move(*threadsThatPass);
  return std::nullopt;
}

/// Returns why a tile gets no ring, as one clause, or nothing.
std::optional<StringRef> MarchSearch::objectionTo(const Tile &tile, const TilePlace &whole) {
  if (!tile.hasStride(stepDimension) || tile.line == stepDimension)
    return "steps do not go from line to line";
  if (!isShared(tile, whole))
    return "threads of a block load hardly anything in common";
  if ((tile.shift + tile.extent[tile.line]) * tile.bytes > pageBytes)
    return "its lines are longer than 4096 bytes";
  int64_t lines = tile.lines() / tile.extent[stepDimension];
  int64_t copied =
      tile.bulk ? lines : lines * (tile.isAligned ? tile.widePerLine() : tile.extent[tile.line]);
  if (llvm::divideCeil(copied, block[0] * block[1] * block[2]) > mostRounds)
    return "a plane has too many elements for the threads of a block";
  return std::nullopt;
}

/// Collects the loads of each line by threads that pass one guard.
static std::vector<LineLoads> linesOf(const Tile &tile,
                                      llvm::DenseMap<Operation *, PassingThreads> &passing) {
  std::vector<LineLoads> lines;
  SmallVector<LoadGuard> guards;
  for (const TileLoad &load : tile.loads) {
    TilePlace row = load.first;
    int64_t column = std::exchange(row[tile.line], 0);
    size_t index = 0;
    while (index < lines.size() && (lines[index].first != row || guards[index] != load.guard))
      ++index;
    if (index == lines.size()) {
      lines.push_back({passing[LLVM::LoadOp(load.load)], row, column, column});
      guards.push_back(load.guard);
    }
    lines[index].low = std::min(lines[index].low, column);
    lines[index].high = std::max(lines[index].high, column);
  }
  return lines;
}

/// Gives a tile a ring. Otherwise returns why it gets none, as one clause.
std::optional<StringRef> MarchSearch::addTile(Tile tile, March &march) {
  alignLines(tile, *march.addresses, alignmentOf(kernel, tile.base));
  TilePlace whole = fillingOf(march).block;
  if (form.inBulk) {
    if (std::optional<StringRef> objection = chooseBulk(tile, whole))
      return objection;
    closeUp(tile);
  }
  if (std::optional<StringRef> objection = objectionTo(tile, whole))
    return objection;
  MarchedTile marched = {tile, tile, linesOf(tile, passing), form.ahead};
  marched.plane.extent[stepDimension] = 1;
  uint64_t bytes = llvm::alignTo(sharedBytes, tile.arrayAlignment()) + marched.bytes();
  if (bytes > mostShared)
    return "the block's shared memory does not suffice";
  sharedBytes = bytes;
  march.tiles.push_back(std::move(marched));
  return std::nullopt;
}

/// Adds the tiles of a loop over steps.
void MarchSearch::addMarch(scf::ForOp loop) {
  auto object = [&](Operation *op, StringRef objection) {
    if (!first)
      first = none(op, "no load can be staged; this one cannot, because " + objection);
  };
  if (std::optional<StringRef> objection = objectionToLoop(loop)) {
    if (!first)
      first = none(loop, *objection);
    return;
  }
  March march;
  march.tiled = {loop, 1, *getConstantIntValue(loop.getUpperBound())};
  march.addresses =
      std::make_unique<LoadAddresses>(threads, forms, uniformity, recomputation, march.tiled);
  GuardSolver solver(threads, loop.getInductionVar(), forms, uniformity);
  candidates.clear();
  loop.getBody()->walk([&](LLVM::LoadOp load) {
    std::optional<Access> access = accesses.of(load);
    if (!access || !isInGlobal(*access))
      return;
    if (std::optional<StringRef> objection = addLoad(load, march, solver))
      object(load, *objection);
  });
  for (Tile &tile : formTiles(candidates, *march.addresses, fillingOf(march).block)) {
    Operation *load = LLVM::LoadOp(tile.loads.front().load);
    if (std::optional<StringRef> objection = addTile(std::move(tile), march))
      object(load, *objection);
  }
  if (!candidates.empty() && march.tiles.empty())
    object(LLVM::LoadOp(candidates.front().load),
           "neighbouring threads do not load neighbouring elements");
  if (!march.tiles.empty())
    marches.push_back(std::move(march));
}

std::optional<Refusal> MarchSearch::find() {
  if (auto refusal = checkKernel())
    return refusal;
  for (scf::ForOp loop : loopsOverSteps(kernel))
    addMarch(loop);
  if (!marches.empty())
    return std::nullopt;
  return first ? *first : none(kernel, "no steps load from global memory");
}
