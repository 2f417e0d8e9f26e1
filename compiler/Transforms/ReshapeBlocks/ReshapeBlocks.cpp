//===- ReshapeBlocks.cpp - Other block shapes for a launch ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Analysis/WarpMeetings.h"
#include "compiler/Dialect/Grain/ThreadSplit.h"
#include "compiler/Transforms/Regroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Derives which thread's work a thread of the new nest does. The runtime ensures that a launch has
/// fewer than 2^31 threads of the program in each dimension.
class Derivation {
public:
  Derivation(OpBuilder &builder, grain::BlocksOp blocks, const Factors &shape,
             const Splitting &splitting)
      : builder(builder), location(blocks.getLoc()), blocks(blocks), shape(shape),
        splitting(splitting) {}

  RegroupedThread run();
  /// Returns the threadIdx.x of the first thread in the warp, if warps are shared.
  [[nodiscard]] Value getWarp() const { return warp; }

private:
  Value createOwn(unsigned dimension);
  void add(unsigned dimension);
  void addWarps(Value start, Value size);
  Value create(arith::CmpIPredicate predicate, Value one, Value other) {
    return builder.create<arith::CmpIOp>(location, predicate, one, other);
  }

  OpBuilder &builder;
  Location location;
  grain::BlocksOp blocks;
  const Factors &shape;
  const Splitting &splitting;
  RegroupedThread thread;
  Value warp;
};

} // namespace

/// Creates the number of a block's thread of the program.
Value Derivation::createOwn(unsigned dimension) {
  Value own = blocks.threads().getBody().getArgument(dimension);
  uint32_t lanes = dimension == 0 ? splitting.lanes : 1;
  if (lanes == 1)
    return own;
  if (lanes == shape[dimension])
    return constant(builder, location, 0);
  if (splitting.warp)
    return builder.create<arith::AndIOp>(location, own,
                                         constant(builder, location, warpThreads - 1));
  return builder.create<arith::DivUIOp>(location, own, constant(builder, location, lanes));
}

/// All threads of a block are of one warp, which lies in one block of the program.
void Derivation::addWarps(Value start, Value size) {
  warp = builder.create<arith::RemUIOp>(location, start, size);
  thread.block[0] = builder.create<arith::DivUIOp>(location, start, size);
  thread.thread[0] = builder.create<arith::AddIOp>(location, warp, createOwn(0));
}

void Derivation::add(unsigned d) {
  Type i32 = builder.getI32Type();
  Value size = splitting.sliced[d]
                   ? constant(builder, location, 1)
                   : builder.create<grain::BlockSizeOp>(location, i32, grain::Dimension(d));
  Value grid = builder.create<grain::GridSizeOp>(location, i32, grain::Dimension(d));
  uint32_t lanes = d == 0 ? splitting.lanes : 1;
  Value start = builder.create<arith::MulIOp>(location, blocks.getBody().getArgument(d),
                                              constant(builder, location, shape[d] / lanes));
  bool areWarps = d == 0 && splitting.warp;
  Value index = builder.create<arith::AddIOp>(location, start, createOwn(d));
  Value total = builder.create<arith::MulIOp>(location, grid, size);
  Value inside = create(arith::CmpIPredicate::ult, areWarps ? start : index, total);
  thread.inside = thread.inside
                      ? builder.create<arith::AndIOp>(location, thread.inside, inside).getResult()
                      : inside;
  thread.index[d] = index;
  if (areWarps)
    return addWarps(start, size);
  thread.block[d] = builder.create<arith::DivUIOp>(location, index, size);
  thread.thread[d] = builder.create<arith::RemUIOp>(location, index, size);
}

RegroupedThread Derivation::run() {
  for (unsigned d = 0; d < 3; ++d)
    add(d);
  return thread;
}

grain::BlocksOp regrain::divideIntoBlocks(grain::BlocksOp old, const Factors &shape,
                                          const Splitting &splitting) {
  OpBuilder builder(old);
  SmallVector<Location> locations(3, old.getLoc());
  TypeRange coordinateTypes = old.getBody().getArgumentTypes();
  auto blocks = cast<grain::BlocksOp>(builder.insert(old->cloneWithoutRegions()));
  builder.createBlock(&blocks.getBody(), {}, coordinateTypes, locations);
  IRMapping mapping;
  for (auto shared : old.getBody().getOps<grain::SharedOp>())
    builder.clone(*shared, mapping);
  auto threads = cast<grain::ThreadsOp>(builder.insert(old.threads()->cloneWithoutRegions()));
  threads.setShape(multiply({1, 1, 1}, shape));
  if (splitting.lanes != 1)
    threads->setAttr(grain::splitAttribute, builder.getI32IntegerAttr(int32_t(splitting.lanes)));
  builder.create<grain::YieldOp>(old.getLoc());
  Block *body = builder.createBlock(&threads.getBody(), {}, coordinateTypes, locations);
  Operation *end = builder.create<grain::YieldOp>(old.getLoc());
  builder.setInsertionPoint(end);
  Derivation derivation(builder, blocks, shape, splitting);
  RegroupedThread thread = derivation.run();
  if (splitting.x)
    mapping.map(splitting.x, threads.getBody().getArgument(0));
  if (splitting.warp) {
    mapping.map(splitting.warp, derivation.getWarp());
    threads.setWholeWarps(true);
  }
  createGuardedBody(builder, old, thread, *body, mapping);
  old.erase();
  return blocks;
}

/// Returns an operation that may be effective only among the threads of one block, but more than
/// those of one warp.
static Operation *findBlockOperation(grain::BlocksOp blocks) {
  Operation *found = nullptr;
  blocks.walk([&](Operation *op) {
    if (!found && interactionOf(op).isOfBlock && !isWarpBarrier(op))
      found = op;
  });
  return found;
}

static std::optional<Refusal> checkIndependent(grain::BlocksOp blocks, bool whole) {
  Operation *found = nullptr;
  blocks.walk([&](Operation *op) {
    if (!found && (isBarrier(op) || isa<grain::SharedOp, grain::DynamicSharedOp>(op)))
      found = op;
  });
  if (found)
    return refuse(
        found, RefusalKind::ThreadsCooperate,
        "the threads of a block cooperate, so shape= cannot divide them among other blocks");
  ThreadSummary summary(blocks->getParentOfType<grain::KernelOp>());
  if (Operation *op = whole ? nullptr : summary.findWarpOperation())
    return refuse(op, RefusalKind::WarpOperation,
                  "the lanes of a warp cooperate, so shape= cannot divide them among other warps");
  if (Operation *op = findBlockOperation(blocks))
    return refuse(op, RefusalKind::ThreadsCooperate,
                  "an operation is effective only among the threads of one block");
  return std::nullopt;
}

std::optional<Refusal> regrain::checkDivisible(grain::BlocksOp blocks, bool whole) {
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  if (auto refusal = checkRegroupable(blocks))
    return refusal;
  return checkIndependent(blocks, whole);
}

std::optional<Refusal> regrain::reshapeBlocks(grain::BlocksOp &blocks, const Factors &shape,
                                              const std::array<bool, 3> &sliced) {
  if (auto refusal = checkDivisible(blocks))
    return refusal;
  Splitting splitting;
  splitting.sliced = sliced;
  blocks = divideIntoBlocks(blocks, shape, splitting);
  return std::nullopt;
}
