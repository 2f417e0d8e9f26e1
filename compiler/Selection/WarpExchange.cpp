//===- WarpExchange.cpp - Grains at which a block is one warp -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/WarpExchange.h"

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Selection/Trial.h"
#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/ReorderTrees/ReorderTrees.h"
#include "compiler/Transforms/Specialise/Specialise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/launch_limits.h"
#include <map>
#include <numeric>
#include <set>

using namespace mlir;
using namespace regrain;

/// Returns whether threads exchange anything through shared memory.
static bool exchanges(grain::KernelOp kernel) {
  bool hasBarrier = false, hasArray = false;
  kernel.walk([&](Operation *op) {
    hasBarrier |= isBarrier(op);
    hasArray |= isa<grain::SharedOp, grain::DynamicSharedOp>(op);
  });
  return hasBarrier && hasArray;
}

/// More threads in one have too much code.
static constexpr uint32_t mostJoined = 16;

static uint32_t threadsIn(const Factors &block) { return block[0] * block[1] * block[2]; }

/// Returns the grain at which the block has `count` warps, if factors can do that.
static std::optional<Grain> inWarps(const Factors &block, uint32_t count) {
  uint32_t threads = threadsIn(block), left = threads / (count * warpThreads);
  if (threads % (count * warpThreads) != 0)
    return std::nullopt;
  Grain grain;
  grain.words["exchange"] = "warp";
  grain.known.block = block;
  // Rows stay whole where they can, so that neighbours remain in neighbouring lanes.
  for (unsigned dimension : {2, 1, 0}) {
    grain.thread[dimension] = std::gcd(left, block[dimension]);
    left /= grain.thread[dimension];
  }
  return left == 1 ? std::optional(grain) : std::nullopt;
}

/// Adds the numbers of the kernel's integer parameters that end loops.
static void addEnds(Value value, grain::KernelOp kernel, std::set<unsigned> &ends) {
  while (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == &kernel.getBody().front() && value.getType().isInteger())
    ends.insert(argument.getArgNumber());
}

/// Returns what is known of launches whose rows the block divides, and whose pointers are aligned
/// and apart; nothing if no parameter ends a loop. The joined threads then run equally many
/// iterations, and their accesses are joined.
static KnownLaunch launchOfWholeRows(grain::KernelOp kernel, const Factors &block) {
  std::set<unsigned> ends;
  kernel.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      addEnds(loop.getUpperBound(), kernel, ends);
    auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
    if (isa<arith::CmpIOp>(op) && loop && op->getParentRegion() == &loop.getBefore())
      for (Value operand : op->getOperands())
        addEnds(operand, kernel, ends);
  });
  KnownLaunch known;
  if (ends.empty())
    return known;
  known.block = block;
  for (unsigned end : ends)
    known.multiples[end] = threadsIn(block);
  known.pointers = widestAccess;
  known.disjoint = mayMeetInMemory(kernel);
  return known;
}

/// Adds the grain if it is possible, or else, for several warps, the one with which they exchange
/// the rest through shared memory.
static void addPossible(Grain grain, uint32_t count, grain::KernelOp kernel,
                        std::vector<Grain> &possible) {
  bool found = isPossible(kernel, grain);
  if (!found && count != 1) {
    grain.words["exchange"] = "levels";
    found = isPossible(kernel, grain);
  }
  if (found)
    possible.push_back(grain);
}

/// Adds the grains for one block, those of one warp first. Threads that exchange are neighbours, so
/// several warps take neighbouring threads.
static void addFor(const Factors &block, grain::KernelOp kernel, std::vector<Grain> &possible) {
  for (uint32_t count : {1, 2, 4, 8}) {
    std::optional<Grain> grain = inWarps(block, count);
    if (!grain)
      continue;
    bool isOwn = isOne(grain->thread);
    if (threadsIn(block) / (count * warpThreads) > mostJoined)
      continue;
    if (count == 1 || isOwn)
      addPossible(*grain, count, kernel, possible);
    grain->contiguous = true;
    if (!isOwn)
      addPossible(*grain, count, kernel, possible);
    if (KnownLaunch known = launchOfWholeRows(kernel, block); !isOwn && !known.empty()) {
      grain->known = known;
      addPossible(*grain, count, kernel, possible);
    }
  }
}

/// The least threads of a launched block that has parts of warps.
static constexpr uint32_t leastThreads = 128;

/// Adds the grains at which a row of neighbours is a warp or a part of one, beside other rows or
/// other blocks. Eight short numbers are one access, and fewer lanes exchange fewer values.
static void addRowsOfLanes(const Factors &block, grain::KernelOp kernel,
                           std::vector<Grain> &possible) {
  for (uint32_t joined : {8u, 4u, 16u}) {
    uint32_t lanes = block[0] / joined, threads = threadsIn(block) / joined;
    bool isOneWarp = threads == warpThreads; // as in addFor
    if (block[0] % joined != 0 || lanes == 0 || warpThreads % lanes != 0 || isOneWarp)
      continue;
    Grain grain;
    grain.words["exchange"] = "warp";
    grain.known.block = block;
    grain.thread[0] = joined;
    grain.contiguous = true;
    grain.fuse[0] = std::max(1u, leastThreads / threads);
    if ((grain.fuse[0] == 1 || coordinateUse(kernel).block[0]) && isPossible(kernel, grain))
      possible.push_back(grain);
  }
}

/// Returns blocks that are likely for a kernel whose launches do not show theirs.
static std::set<uint32_t> likelyThreads(grain::KernelOp kernel, unsigned launchBounds) {
  std::set<uint32_t> likely;
  CoordinateUse use = coordinateUse(kernel);
  if (use.thread[1] || use.thread[2])
    return likely;
  kernel.walk([&](grain::SharedOp array) {
    if (auto type = dyn_cast<LLVM::LLVMArrayType>(array.getType()))
      if (!isa<LLVM::LLVMArrayType>(type.getElementType()))
        likely.insert(std::min<uint64_t>(type.getNumElements(), maxBlockThreads + 1));
  });
  if (launchBounds)
    likely = {launchBounds};
  return likely;
}

/// Returns whether a tree of floating-point sums could begin among neighbours in such a block.
static bool hasSumTree(grain::KernelOp kernel, const Factors &block) {
  KnownLaunch known;
  known.block = block;
  FrozenRewritePatternSet patterns = cleanUpPatterns(kernel.getContext());
  auto countTrees = [&](bool mayReorderSums) {
    OwningOpRef<grain::KernelOp> trial = kernel.clone();
    return specialise(*trial, known) ? 0 : reorderTrees(*trial, mayReorderSums, patterns);
  };
  return countTrees(true) > countTrees(false);
}

/// Adds the grains whose neighbours also combine their own terms of sums first.
static void addReordered(grain::KernelOp kernel, std::vector<Grain> &possible) {
  std::map<Factors, bool> isWorth;
  for (Grain grain : std::vector(possible)) {
    if (!grain.contiguous || !addPiece(grain, "sums=reassociated"))
      continue;
    const Factors &block = *grain.known.block;
    if (!isWorth.contains(block))
      isWorth[block] = hasSumTree(kernel, block);
    if (isWorth[block])
      possible.push_back(grain);
  }
}

std::vector<Grain> regrain::exchangesInWarps(grain::KernelOp kernel,
                                             const std::optional<Factors> &seen,
                                             unsigned launchBounds, bool reordersSums) {
  std::vector<Grain> possible;
  if (!exchanges(kernel))
    return possible;
  std::vector<Factors> blocks;
  if (seen)
    blocks.push_back(*seen);
  else
    for (uint32_t threads : likelyThreads(kernel, launchBounds))
      if (threads <= maxBlockThreads)
        blocks.push_back({threads, 1, 1});
  for (const Factors &block : blocks) {
    addFor(block, kernel, possible);
    addRowsOfLanes(block, kernel, possible);
  }
  if (reordersSums)
    addReordered(kernel, possible);
  return possible;
}
