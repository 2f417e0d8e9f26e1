//===- CoarsenThreads.cpp - Fewer threads with more work each -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenThreads/CoarsenThreads.h"

#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Transforms/CoarsenThreads/SplitSigns.h"
#include "compiler/Transforms/SplitGuards/SplitGuards.h"
#include "compiler/Transforms/UnrollAndInterleave/JoinLanes.h"
#include "compiler/Transforms/UnrollAndInterleave/UnrollAndInterleave.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

/// How strided threads of one dimension are distributed.
struct Strided {
  Value stride;      ///< from one joined thread to the next; null if none are joined
  uint32_t own = 0;  ///< the same as a number, if the joined threads are of one fused block
  uint32_t size = 0; ///< threads of the program in that block
};

} // namespace

/// Returns the threads of one block in a dimension in which several are fused, if `factor` of them
/// can be joined at a distance that is the same in each of them; otherwise nothing. Warps of the
/// program stay whole if that distance is a number of warps.
static std::optional<uint32_t> ownBlockOf(grain::ThreadsOp threads, unsigned dimension,
                                          uint32_t factor, bool hasWarpOperation) {
  int32_t fused = threads.getFusedIn(dimension);
  std::optional<int32_t> all = threads.getKnownIterations(dimension);
  if (fused == 1 || factor == 1 || !all || threads.getFactors()[dimension] != 1)
    return std::nullopt;
  uint32_t size = *all / fused;
  bool tearsWarps = hasWarpOperation && (dimension != 0 || size / factor % warpThreads != 0);
  return size % factor != 0 || tearsWarps ? std::nullopt : std::optional(size);
}

/// Returns how the threads of each dimension are distributed.
static std::array<Strided, 3> createStrides(OpBuilder &builder, grain::ThreadsOp threads,
                                            ArrayRef<int32_t> total, const Factors &factors,
                                            bool hasWarpOperation) {
  Location location = threads.getLoc();
  std::array<Strided, 3> strides;
  for (unsigned d = 0; d < 3; ++d) {
    if (factors[d] == 1)
      continue;
    if (auto size = ownBlockOf(threads, d, factors[d], hasWarpOperation)) {
      uint32_t own = *size / factors[d];
      strides[d] = {constant(builder, location, own), own, *size};
      continue;
    }
    Value size = createBlockSize(builder, location, threads, d);
    strides[d].stride =
        builder.create<arith::DivUIOp>(location, size, constant(builder, location, total[d]));
  }
  return strides;
}

/// Creates the coordinate of the first thread that the thread of coordinate `launched` stands for.
static Value createFirst(OpBuilder &builder, Location location, Value launched, uint32_t factor,
                         Distribution distribution, const Strided &strided) {
  if (factor == 1)
    return launched;
  if (distribution == Distribution::Contiguous)
    return offsetBy(builder, location, constant(builder, location, 0), factor, launched);
  if (strided.own == 0)
    return launched;
  Value own = constant(builder, location, strided.own);
  Value part = builder.create<arith::DivUIOp>(location, launched, own);
  Value thread = builder.create<arith::RemUIOp>(location, launched, own);
  return offsetBy(builder, location, thread, strided.size, part);
}

/// Maps the coordinates of each thread that one thread of `body` stands for.
static void mapCoordinates(OpBuilder &builder, grain::ThreadsOp threads, Block &body,
                           const Factors &factors, Distribution distribution,
                           ArrayRef<Strided> strides, MutableArrayRef<IRMapping> mappings) {
  Location location = threads.getLoc();
  for (unsigned d = 0; d < 3; ++d) {
    Value first =
        createFirst(builder, location, body.getArgument(d), factors[d], distribution, strides[d]);
    Value step = distribution == Distribution::Contiguous && factors[d] != 1
                     ? constant(builder, location, 1)
                     : strides[d].stride;
    for (auto [mapping, iteration] : llvm::zip_equal(mappings, iterationsOf(factors)))
      mapping.map(threads.getBody().getArgument(d),
                  offsetBy(builder, location, first, iteration[d], step));
  }
}

/// Each barrier exists once for all copies, has the operands of the first copy, and names the
/// loops.
static void nameLoops(Block &body, grain::ThreadsOp threads, const IRMapping &first) {
  for (auto [before, loop] : llvm::zip_equal(threads.getBody().getArguments(), body.getArguments()))
    if (Value coordinate = first.lookup(before); coordinate != loop)
      coordinate.replaceUsesWithIf(loop, [](OpOperand &use) { return isBarrier(use.getOwner()); });
}

/// Returns the threads that are joined, if that is a power of two in one dimension, and the
/// distance between them is known.
static std::optional<JoinedThreads> joinedThreads(grain::ThreadsOp threads, const Factors &factors,
                                                  Distribution distribution,
                                                  bool hasWarpOperation) {
  auto isJoined = [](uint32_t factor) { return factor != 1; };
  auto found = llvm::find_if(factors, isJoined);
  if (llvm::count_if(factors, isJoined) != 1 || !llvm::isPowerOf2_32(*found))
    return std::nullopt;
  unsigned dimension = found - factors.begin();
  if (distribution == Distribution::Contiguous)
    return JoinedThreads{dimension, *found, /*stride=*/1, /*span=*/*found};
  std::optional<uint32_t> size = ownBlockOf(threads, dimension, *found, hasWarpOperation);
  if (!size)
    size = threads.getKnownIterations(dimension);
  if (!size || !llvm::isPowerOf2_32(*size) || *size < *found)
    return std::nullopt;
  return JoinedThreads{dimension, *found, *size / *found, *size};
}

/// Returns for each copy the neighbour in x that serves in its place at an end: the next one inside
/// for the first and the last, and itself for those between.
static SmallVector<unsigned> partnersIn(const Factors &factors) {
  SmallVector<unsigned> partners;
  for (auto [copy, iteration] : llvm::enumerate(iterationsOf(factors))) {
    unsigned inside = std::clamp(iteration[0], 1u, factors[0] - 2);
    partners.push_back(copy + inside - iteration[0]);
  }
  return partners;
}

/// Builds the coarsened nest beside `threads`.
static std::optional<Refusal> build(grain::ThreadsOp threads, const Factors &factors,
                                    Distribution distribution, Dependence varying,
                                    bool joinsGuards) {
  bool hasWarpOperation =
      ThreadSummary(threads->getParentOfType<grain::KernelOp>()).findWarpOperation() != nullptr;
  if (hasWarpOperation && distribution == Distribution::Contiguous)
    replaceLaneNumbers(threads);
  std::optional<JoinedThreads> joined =
      joinedThreads(threads, factors, distribution, hasWarpOperation);
  SmallVector<Operation *> rare;
  if (joined)
    rare = splitSigns(threads, *joined);
  Location location = threads.getLoc();
  OpBuilder builder(threads);
  std::array<int32_t, 3> total = multiply(threads.getFactors(), factors);
  std::array<Strided, 3> strides;
  if (distribution == Distribution::Strided)
    strides = createStrides(builder, threads, total, factors, hasWarpOperation);

  auto coarse = cast<grain::ThreadsOp>(builder.insert(threads->cloneWithoutRegions()));
  coarse.setFactors(total);
  coarse.setContiguous(distribution == Distribution::Contiguous);
  if (hasWarpOperation)
    coarse.setWholeWarps(true);
  Block &old = threads.getBody().front();
  Block *body = builder.createBlock(&coarse.getBody(), {}, old.getArgumentTypes(),
                                    SmallVector<Location>(3, location));
  SmallVector<IRMapping> mappings(iterationsOf(factors).size());
  mapCoordinates(builder, threads, *body, factors, distribution, strides, mappings);

  Uniformity uniformity(threads->getParentOfType<grain::KernelOp>());
  Barriers barriers(threads);
  std::optional<JoinedLanes> lanes;
  if (hasWarpOperation && distribution == Distribution::Contiguous) {
    lanes.emplace(threads, factors[0], uniformity);
    if (auto refusal = lanes->check())
      return refusal;
    lanes->describeLane(builder, body->getArgument(0));
  }
  std::optional<Neighbours> neighbours;
  if (joined)
    neighbours.emplace(threads, *joined, uniformity);
  SmallVector<Operation *> source(llvm::make_pointer_range(old.without_terminator()));
  Copies copies = {
      uniformity, barriers, varying, /*inOneBlock=*/true, neighbours ? &*neighbours : nullptr,
      rare};
  if (lanes)
    copies.lanes = &*lanes;
  SmallVector<unsigned> partners;
  unsigned joinedGuards = 0;
  if (joinsGuards) {
    partners = partnersIn(factors);
    copies.partners = partners;
    copies.joinedGuards = &joinedGuards;
  }
  if (!source.empty())
    if (auto refusal = unrollAndInterleave(source, builder, mappings, copies))
      return refusal;
  if (joinsGuards && joinedGuards == 0)
    return refuse(threads, RefusalKind::Contradiction,
                  "no guard differs between neighbours around plain loads and stores");
  nameLoops(*body, threads, mappings.front());
  builder.create<grain::YieldOp>(location);
  threads.erase();
  return std::nullopt;
}

/// Returns whether joined neighbours are lanes of one warp of the program.
static bool mayJoinLanes(grain::ThreadsOp threads, const Factors &factors) {
  bool isInX = factors[1] == 1 && factors[2] == 1;
  return isInX && llvm::isPowerOf2_32(factors[0]) && factors[0] <= warpThreads &&
         !threads.getShape() && !isCoarse(threads.getFactors());
}

std::optional<Refusal> regrain::coarsenThreads(grain::BlocksOp &blocks, const Factors &factors,
                                               Distribution distribution, bool joinsGuards) {
  if (factors == Factors{1, 1, 1})
    return std::nullopt;
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  bool isContiguous = distribution == Distribution::Contiguous;
  // Joined lanes run a warp operation only if all lanes of the warp do, at one place.
  if (auto refusal = isContiguous ? std::nullopt : checkMeetings(blocks))
    return refusal;
  grain::ThreadsOp threads = blocks.threads();
  if (isCoarse(threads.getFactors()) && isContiguous != threads.getContiguous())
    return refuse(threads, RefusalKind::AlreadyRegrained,
                  "the threads already have another distribution");
  if (joinsGuards && (!isContiguous || factors[0] < 3))
    return refuse(threads, RefusalKind::Contradiction,
                  "fewer than three neighbours in x are joined");
  ThreadSummary summary(blocks->getParentOfType<grain::KernelOp>());
  Operation *ofWarp = isContiguous ? summary.findWarpOperation() : nullptr;
  if (ofWarp && !mayJoinLanes(threads, factors))
    return refuse(ofWarp, RefusalKind::WarpOperation,
                  "a warp operation needs the lanes of a warp to be neighbouring threads");
  // Loads from one address run together and only once, so dependences on memory do not count.
  Dependence varying = varyingIn(factors, Dependence::ThreadX);
  return tryOn(blocks, [&](grain::BlocksOp &clone) -> std::optional<Refusal> {
    splitGuards(clone.threads(), varying | Dependence::ThreadMemory);
    if (auto refusal = build(clone.threads(), factors, distribution, varying, joinsGuards))
      return refusal;
    forgetRestrict(clone);
    return std::nullopt;
  });
}
