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
#include "compiler/Transforms/UnrollAndInterleave/UnrollAndInterleave.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Returns the distance, in threads of the program, between two that one launched thread runs.
static std::array<Value, 3> createStrides(OpBuilder &builder, grain::ThreadsOp threads,
                                          ArrayRef<int32_t> total, const Factors &factors) {
  Location location = threads.getLoc();
  std::array<Value, 3> strides;
  for (unsigned d = 0; d < 3; ++d) {
    if (factors[d] == 1)
      continue;
    Value size = createBlockSize(builder, location, threads, d);
    strides[d] =
        builder.create<arith::DivUIOp>(location, size, constant(builder, location, total[d]));
  }
  return strides;
}

/// Maps the coordinates of each thread that one thread of `body` stands for.
static void mapCoordinates(OpBuilder &builder, grain::ThreadsOp threads, Block &body,
                           const Factors &factors, Distribution distribution,
                           ArrayRef<Value> strides, MutableArrayRef<IRMapping> mappings) {
  Location location = threads.getLoc();
  for (auto [mapping, iteration] : llvm::zip_equal(mappings, iterationsOf(factors)))
    for (unsigned d = 0; d < 3; ++d) {
      Value first = body.getArgument(d), one;
      if (distribution == Distribution::Contiguous && factors[d] != 1) {
        Value zero = constant(builder, location, 0);
        one = constant(builder, location, 1);
        first = offsetBy(builder, location, zero, factors[d], first);
      }
      mapping.map(threads.getBody().getArgument(d),
                  offsetBy(builder, location, first, iteration[d], one ? one : strides[d]));
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
                                                  Distribution distribution) {
  auto isJoined = [](uint32_t factor) { return factor != 1; };
  auto found = llvm::find_if(factors, isJoined);
  if (llvm::count_if(factors, isJoined) != 1 || !llvm::isPowerOf2_32(*found))
    return std::nullopt;
  unsigned dimension = found - factors.begin();
  if (distribution == Distribution::Contiguous)
    return JoinedThreads{dimension, *found, /*stride=*/1, /*span=*/*found};
  std::optional<int32_t> size = threads.getKnownIterations(dimension);
  if (!size || !llvm::isPowerOf2_32(*size) || uint32_t(*size) < *found)
    return std::nullopt;
  return JoinedThreads{dimension, *found, *size / *found, uint32_t(*size)};
}

/// Builds the coarsened nest beside `threads`.
static std::optional<Refusal> build(grain::ThreadsOp threads, const Factors &factors,
                                    Distribution distribution, Dependence varying) {
  std::optional<JoinedThreads> joined = joinedThreads(threads, factors, distribution);
  SmallVector<Operation *> rare;
  if (joined)
    rare = splitSigns(threads, *joined);
  Location location = threads.getLoc();
  OpBuilder builder(threads);
  std::array<int32_t, 3> total = multiply(threads.getFactors(), factors);
  std::array<Value, 3> strides;
  if (distribution == Distribution::Strided)
    strides = createStrides(builder, threads, total, factors);

  auto coarse = cast<grain::ThreadsOp>(builder.insert(threads->cloneWithoutRegions()));
  coarse.setFactors(total);
  coarse.setContiguous(distribution == Distribution::Contiguous);
  if (ThreadSummary(threads->getParentOfType<grain::KernelOp>()).findWarpOperation())
    coarse.setWholeWarps(true);
  Block &old = threads.getBody().front();
  Block *body = builder.createBlock(&coarse.getBody(), {}, old.getArgumentTypes(),
                                    SmallVector<Location>(3, location));
  SmallVector<IRMapping> mappings(iterationsOf(factors).size());
  mapCoordinates(builder, threads, *body, factors, distribution, strides, mappings);

  Uniformity uniformity(threads->getParentOfType<grain::KernelOp>());
  Barriers barriers(threads);
  std::optional<Neighbours> neighbours;
  if (joined)
    neighbours.emplace(threads, *joined, uniformity);
  SmallVector<Operation *> source(llvm::make_pointer_range(old.without_terminator()));
  if (!source.empty())
    if (auto refusal = unrollAndInterleave(source, builder, mappings,
                                           {uniformity, barriers, varying, /*inOneBlock=*/true,
                                            neighbours ? &*neighbours : nullptr, rare}))
      return refusal;
  nameLoops(*body, threads, mappings.front());
  builder.create<grain::YieldOp>(location);
  threads.erase();
  return std::nullopt;
}

std::optional<Refusal> regrain::coarsenThreads(grain::BlocksOp &blocks, const Factors &factors,
                                               Distribution distribution) {
  if (factors == Factors{1, 1, 1})
    return std::nullopt;
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  if (auto refusal = checkMeetings(blocks))
    return refusal;
  bool isContiguous = distribution == Distribution::Contiguous;
  grain::ThreadsOp threads = blocks.threads();
  if (isCoarse(threads.getFactors()) && isContiguous != threads.getContiguous())
    return refuse(threads, RefusalKind::AlreadyRegrained,
                  "the threads already have another distribution");
  ThreadSummary summary(blocks->getParentOfType<grain::KernelOp>());
  if (Operation *op = isContiguous ? summary.findWarpOperation() : nullptr)
    return refuse(op, RefusalKind::WarpOperation,
                  "a warp operation needs the lanes of a warp to be neighbouring threads");
  // Loads from one address run together and only once, so dependences on memory do not count.
  Dependence varying = varyingIn(factors, Dependence::ThreadX);
  return tryOn(blocks, [&](grain::BlocksOp &clone) -> std::optional<Refusal> {
    splitGuards(clone.threads(), varying | Dependence::ThreadMemory);
    if (auto refusal = build(clone.threads(), factors, distribution, varying))
      return refusal;
    forgetRestrict(clone);
    return std::nullopt;
  });
}
