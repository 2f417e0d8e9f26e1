//===- CoarsenBlocks.cpp - Fewer blocks with more work each ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"

#include "compiler/Transforms/CoarsenBlocks/BlockCoarsening.h"
#include "compiler/Transforms/SplitGuards/SplitGuards.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

void BlockCoarsening::findBesideThreads() {
  for (Operation &op : old.getBody().front().without_terminator())
    if (isa<grain::SharedOp, grain::DynamicSharedOp>(op))
      usesShared = true;
    else if (&op != oldThreads)
      besideThreads.push_back(&op);
  takeBody();
}

void BlockCoarsening::takeBody() {
  body.clear();
  llvm::append_range(body,
                     llvm::make_pointer_range(oldThreads.getBody().front().without_terminator()));
}

void BlockCoarsening::markEdges() {
  std::array<bool, 3> all = edges;
  for (unsigned d = 0; d < 3; ++d)
    all[d] |= old.hasEdge(d);
  if (llvm::is_contained(all, true))
    coarse.setEdges(all);
}

/// An old nest that has factors already stands for several blocks.
void BlockCoarsening::mapCoordinates() {
  for (auto [mapping, iteration] : llvm::zip(mappings, iterations))
    for (unsigned d = 0; d < 3; ++d) {
      Value step = iteration[d] ? constant(builder, location, old.getFactors()[d]) : Value();
      mapping.map(old.getBody().getArgument(d),
                  offsetBy(builder, location, coarse.getBody().getArgument(d), iteration[d], step));
    }
}

void BlockCoarsening::copyShared() {
  ArrayRef<int32_t> before = old.getFactors();
  int32_t copiesBefore = before[0] * before[1] * before[2];
  for (auto [copy, mapping] : llvm::enumerate(mappings))
    for (Operation &op : old.getBody().front()) {
      if (!isa<grain::SharedOp, grain::DynamicSharedOp>(op))
        continue;
      if (size_t owner = ownerOf(&op, copy); owner != copy) {
        mapping.map(op.getResult(0), mappings[owner].lookup(op.getResult(0)));
        continue;
      }
      Operation *own = builder.clone(op, mapping);
      if (auto dynamic = dyn_cast<grain::DynamicSharedOp>(own))
        dynamic.setCopy(dynamic.getCopy() + copy * copiesBefore);
    }
}

Value BlockCoarsening::createInside(Value coordinate, unsigned dimension) {
  Value size = createBlockCount(builder, location, oldThreads, dimension);
  return builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ult, coordinate, size);
}

/// Returns whether the last of the joined blocks exists in each dimension; null if it always does.
Value BlockCoarsening::createAllInside() {
  Value all;
  for (unsigned d = 0; d < 3; ++d) {
    if (!edges[d])
      continue;
    Value inside = createInside(mappings.back().lookup(old.getBody().getArgument(d)), d);
    all = all ? builder.create<arith::AndIOp>(location, all, inside) : inside;
  }
  return all;
}

/// Returns whether all blocks exist and all of their threads pass the guards.
Value BlockCoarsening::createAllWhole(Value allInside) {
  if (guards.branches.empty())
    return allInside;
  SmallVector<int64_t> block;
  for (unsigned d = 0; d < 3; ++d)
    block.push_back(*oldThreads.getKnownIterations(d));
  Value all = allInside;
  for (const IRMapping &mapping : mappings) {
    Value own = createWholeBlock(builder, oldThreads, guards.extremes, block, mapping);
    all = all ? builder.create<arith::AndIOp>(location, all, own) : own;
  }
  return all;
}

void BlockCoarsening::mapThreads() {
  for (IRMapping &mapping : mappings)
    mapping.map(oldThreads.getBody().getArguments(), threads.getBody().getArguments());
}

std::optional<Refusal> BlockCoarsening::interleaveBlocks(const Copies &copies) {
  if (body.empty())
    return std::nullopt;
  return unrollAndInterleave(body, builder, mappings, copies);
}

/// Maps the coordinates to those of the edge block number `index`, and what belongs to a block to
/// the first copy's.
IRMapping BlockCoarsening::mapEdgeBlock(Value index, Value &exists) {
  IRMapping mapping = ofPhases;
  size_t remaining = iterations.size();
  for (unsigned d = 0; d < 3; ++d) {
    Value argument = old.getBody().getArgument(d);
    Value first = coarse.getBody().getArgument(d);
    if (factors[d] == 1) {
      mapping.map(argument, first);
      continue;
    }
    Value position = index;
    remaining /= factors[d];
    if (remaining != 1) {
      Value count = constant(builder, location, factors[d]);
      position = builder.create<arith::RemUIOp>(location, index, count);
      index = builder.create<arith::DivUIOp>(location, index, count);
    }
    Value offset = builder.create<arith::MulIOp>(location, position,
                                                 constant(builder, location, old.getFactors()[d]));
    Value coordinate = builder.create<arith::AddIOp>(location, first, offset);
    mapping.map(argument, coordinate);
    if (!edges[d])
      continue;
    Value inside = createInside(coordinate, d);
    exists = exists ? builder.create<arith::AndIOp>(location, exists, inside) : inside;
  }
  mapping.map(oldThreads.getBody().getArguments(), threads.getBody().getArguments());
  for (Operation &op : old.getBody().front())
    if (isa<grain::SharedOp, grain::DynamicSharedOp>(op))
      mapping.map(op.getResult(0), mappings[0].lookup(op.getResult(0)));
  for (LLVM::AllocaOp allocation : copiedAllocations)
    mapping.map(allocation.getResult(), mappings[0].lookup(allocation.getResult()));
  return mapping;
}

scf::ForOp BlockCoarsening::runOneByOne() {
  Value zero = constant(builder, location, 0);
  auto loop =
      builder.create<scf::ForOp>(location, zero, constant(builder, location, iterations.size()),
                                 constant(builder, location, 1));
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value exists;
  IRMapping mapping = mapEdgeBlock(loop.getInductionVar(), exists);
  scf::IfOp guard;
  if (exists)
    guard = builder.create<scf::IfOp>(location, exists, /*withElseRegion=*/false);
  // The next block's threads must not write shared memory that is still being read.
  Operation *barrier = nullptr;
  if (usesShared)
    barrier =
        builder.create<grain::BarrierOp>(location, ValueRange(threads.getBody().getArguments()));
  if (guard)
    builder.setInsertionPointToStart(guard.thenBlock());
  else if (barrier)
    builder.setInsertionPoint(barrier);
  for (Operation *op : besideThreads)
    builder.clone(*op, mapping);
  for (Operation *op : body)
    if (op->getNumResults() == 0 || !mapping.contains(op->getResult(0)))
      builder.clone(*op, mapping);
  return loop;
}

std::optional<Refusal> BlockCoarsening::run(grain::BlocksOp &result) {
  if (auto refusal = checkEffectsInThreads(old))
    return refusal;
  findBesideThreads();
  if (auto refusal = build()) {
    if (coarse)
      coarse.erase();
    return refusal;
  }
  old.erase();
  result = coarse;
  return std::nullopt;
}

/// Creates the loops over blocks, with the shared memory in front of the threads.
void BlockCoarsening::createBlocks() {
  coarse = cast<grain::BlocksOp>(builder.insert(old->cloneWithoutRegions()));
  coarse.setFactors(multiply(old.getFactors(), factors));
  markEdges();
  builder.createBlock(&coarse.getBody(), {}, old.getBody().getArgumentTypes(),
                      SmallVector<Location>(3, location));
  mapCoordinates();
  copyShared();
}

void BlockCoarsening::createThreads() {
  threads = cast<grain::ThreadsOp>(builder.insert(oldThreads->cloneWithoutRegions()));
  builder.create<grain::YieldOp>(location);
  builder.createBlock(&threads.getBody(), {}, old.getBody().getArgumentTypes(),
                      SmallVector<Location>(3, location));
  mapThreads();
}

std::optional<Refusal> BlockCoarsening::build() {
  if (auto refusal = findCommon())
    return refusal;
  // Loads from one address run together and only once, so dependences on memory do not count.
  Uniformity uniformity(old->getParentOfType<grain::KernelOp>(), &common);
  Barriers barriers(old);
  Copies copies{uniformity, barriers, varying, /*inOneBlock=*/false};
  copies.once = &accumulators.flushes;
  if (auto refusal = takePhases(copies))
    return refusal;
  return order == Order::InLoop ? buildInLoop() : buildTogether(copies);
}

std::optional<Refusal> BlockCoarsening::buildInLoop() {
  createBlocks();
  createThreads();
  copiedAllocations = cloneAllocations(builder, oldThreads, mappings);
  runBefore();
  runOneByOne()->setAttr(stepsAttribute, builder.getUnitAttr());
  runAfter();
  builder.create<grain::YieldOp>(location);
  return std::nullopt;
}

std::optional<Refusal> BlockCoarsening::buildTogether(const Copies &copies) {
  createBlocks();
  if (!besideThreads.empty())
    if (auto refusal = unrollAndInterleave(besideThreads, builder, mappings, copies))
      return refusal;
  Value allInside = createAllInside();
  createThreads();
  bool hasBranches = allInside || !guards.branches.empty();
  // The allocations stand outside of the branch below, so that they are static and made once.
  if (hasBranches || !phases.before.empty())
    copiedAllocations = cloneAllocations(builder, oldThreads, mappings);
  runBefore();
  if (!hasBranches) {
    std::optional<Refusal> refusal = interleaveBlocks(copies);
    runAfter();
    builder.create<grain::YieldOp>(location);
    return refusal;
  }
  auto edge = builder.create<scf::IfOp>(location, createAllWhole(allInside),
                                        /*withElseRegion=*/true);
  runAfter();
  builder.create<grain::YieldOp>(location);
  builder.setInsertionPointToStart(edge.elseBlock());
  runOneByOne();
  if (!guards.branches.empty()) {
    guards.inlineBranches();
    takeBody();
  }
  builder.setInsertionPointToStart(edge.thenBlock());
  return interleaveBlocks(copies);
}

/// Returns the dimensions in which a launch may have blocks that do not fill a launched block.
static std::array<bool, 3> edgesOf(grain::BlocksOp blocks, const Factors &factors, Edge edge) {
  std::array<bool, 3> edges = {};
  for (unsigned d = 0; d < 3; ++d) {
    std::optional<int32_t> count = blocks.getKnownIterations(d);
    edges[d] = edge == Edge::Inside && factors[d] != 1 && !(count && *count % factors[d] == 0);
  }
  return edges;
}

std::optional<Refusal> regrain::coarsenBlocks(grain::BlocksOp &blocks, const Factors &factors,
                                              Edge edge, Order order, SharedCopies copies) {
  if (factors == Factors{1, 1, 1})
    return std::nullopt;
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  if (auto refusal = checkMeetings(blocks))
    return refusal;
  if (auto refusal = checkSharedCopies(blocks))
    return refusal;
  std::array<bool, 3> edges = edgesOf(blocks, factors, edge);
  bool hasLoop = order == Order::InLoop || llvm::is_contained(edges, true);
  return tryOn(blocks, [&](grain::BlocksOp &clone) -> std::optional<Refusal> {
    Dependence varying = varyingIn(factors, Dependence::BlockX) | Dependence::BlockMemory;
    splitGuards(clone.threads(), hasLoop ? Dependence::Threads : varying);
    // In the loop, threads that leave early would meet others at the wrong barrier.
    if (Operation *control = hasLoop ? findControlOfBarrier(clone, Dependence::Threads) : nullptr)
      return refuseDivergentBarrier(control);
    WholeGuards guards;
    if (order == Order::WholeTogether)
      guards = findWholeGuards(clone.threads());
    if (auto refusal =
            BlockCoarsening(clone, factors, edges, order, copies, std::move(guards)).run(clone))
      return refusal;
    forgetRestrict(clone);
    return std::nullopt;
  });
}
