//===- CoarsenThreads.cpp - Fewer threads that do more each ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenThreads/CoarsenThreads.h"

#include "compiler/Analysis/Convergence.h"
#include "compiler/Transforms/SplitGuards/SplitGuards.h"
#include "compiler/Transforms/UnrollAndInterleave/UnrollAndInterleave.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Threads of the program between two that one launched thread runs.
static std::array<Value, 3> createStrides(OpBuilder &builder, Location location,
                                          ArrayRef<int32_t> total, const Factors &factors) {
  std::array<Value, 3> strides;
  for (unsigned d = 0; d < 3; ++d) {
    if (factors[d] == 1)
      continue;
    Value size =
        builder.create<grain::BlockSizeOp>(location, builder.getI32Type(), grain::Dimension(d));
    strides[d] =
        builder.create<arith::DivUIOp>(location, size, constant(builder, location, total[d]));
  }
  return strides;
}

/// Builds the coarsened nest beside `threads`.
static LogicalResult build(grain::ThreadsOp threads, const Factors &factors, Dependence varying,
                           Refusal &refusal) {
  Location location = threads.getLoc();
  OpBuilder builder(threads);
  std::array<int32_t, 3> total = multiply(threads.getFactors(), factors);
  std::array<Value, 3> strides = createStrides(builder, location, total, factors);

  bool wholeWarps =
      threads.getWholeWarps() || findConvergent(threads, Convergence::Warp) != nullptr;
  auto coarse = builder.create<grain::ThreadsOp>(location, total, wholeWarps);
  coarse->setDiscardableAttrs(threads->getDiscardableAttrDictionary());
  Block &old = threads.getBody().front();
  Block *body = builder.createBlock(&coarse.getBody(), {}, old.getArgumentTypes(),
                                    SmallVector<Location>(3, location));
  SmallVector<Factors> iterations = iterationsOf(factors);
  SmallVector<IRMapping> mappings(iterations.size());
  for (auto [mapping, iteration] : llvm::zip_equal(mappings, iterations))
    for (unsigned d = 0; d < 3; ++d)
      mapping.map(old.getArgument(d),
                  offsetBy(builder, location, body->getArgument(d), iteration[d], strides[d]));

  Uniformity uniformity(threads->getParentOfType<grain::KernelOp>());
  Barriers barriers(threads);
  SmallVector<Operation *> source(llvm::make_pointer_range(old.without_terminator()));
  if (!source.empty() &&
      failed(unrollAndInterleave(source, builder, mappings,
                                 {uniformity, barriers, varying, /*inOneBlock=*/true}, refusal)))
    return failure();
  builder.create<grain::YieldOp>(location);
  threads.erase();
  return success();
}

LogicalResult regrain::coarsenThreads(grain::BlocksOp &blocks, const Factors &factors,
                                      Refusal &refusal) {
  refusal.stage = "coarsen-threads";
  if (factors == Factors{1, 1, 1})
    return success();
  if (failed(checkCoarsenable(blocks, refusal)))
    return failure();
  Dependence varying = varyingIn(factors, Dependence::ThreadX) | Dependence::ThreadMemory;
  return tryOn(blocks, [&](grain::BlocksOp &clone) {
    splitGuards(threadsOf(clone), varying);
    return build(threadsOf(clone), factors, varying, refusal);
  });
}
