//===- CoarsenBlocks.cpp - Fewer blocks with more work each ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"

#include "compiler/Transforms/CoarsenBlocks/Accumulators.h"
#include "compiler/Transforms/CoarsenBlocks/FilledAlike.h"
#include "compiler/Transforms/CoarsenBlocks/Phases.h"
#include "compiler/Transforms/CoarsenBlocks/WholeGuards.h"
#include "compiler/Transforms/SplitGuards/SplitGuards.h"
#include "compiler/Transforms/UnrollAndInterleave/UnrollAndInterleave.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Builds the coarsened nest beside the old one.
class BlockCoarsening {
public:
  BlockCoarsening(grain::BlocksOp old, const Factors &factors, std::array<bool, 3> edges,
                  Order order, SharedCopies copies, WholeGuards guards)
      : old(old), oldThreads(old.threads()), factors(factors), edges(edges), order(order),
        sharedCopies(copies), guards(std::move(guards)), iterations(iterationsOf(factors)),
        mappings(order == Order::InLoop ? 1 : iterations.size()),
        varying(varyingIn(factors, Dependence::BlockX)), builder(old), location(old.getLoc()) {}

  /// Puts the coarsened nest in the place of the old one and sets `result` to it.
  [[nodiscard]] std::optional<Refusal> run(grain::BlocksOp &result);

private:
  [[nodiscard]] std::optional<Refusal> build();
  [[nodiscard]] std::optional<Refusal> buildTogether(const Copies &copies);
  [[nodiscard]] std::optional<Refusal> buildInLoop();
  [[nodiscard]] std::optional<Refusal> findCommon();
  [[nodiscard]] std::optional<Refusal> takePhases(const Copies &copies);
  void runBefore();
  void runAfter();
  void createBlocks();
  void createThreads();
  void findBesideThreads();
  void takeBody();
  void markEdges();
  void mapCoordinates();
  void copyShared();
  Value createAllInside();
  Value createAllWhole(Value allInside);
  Value createInside(Value coordinate, unsigned dimension);
  void mapThreads();
  [[nodiscard]] std::optional<Refusal> interleaveBlocks(const Copies &copies);
  scf::ForOp runOneByOne();
  IRMapping mapEdgeBlock(Value index, Value &exists);

  grain::BlocksOp old;
  grain::ThreadsOp oldThreads;
  Factors factors;
  std::array<bool, 3> edges; ///< dimensions in which some of the joined blocks may not exist
  Order order;
  SharedCopies sharedCopies;
  WholeGuards guards; ///< that all threads pass where blocks are interleaved
  SmallVector<Factors> iterations;
  SmallVector<IRMapping> mappings; ///< one for each joined block, or the first one's in a loop
  Dependence varying;              ///< the coordinates in which joined blocks differ
  OpBuilder builder;
  Location location;
  grain::BlocksOp coarse;
  grain::ThreadsOp threads;
  SmallVector<Operation *> besideThreads;        ///< pure operations, to be copied with the code
  SmallVector<LLVM::AllocaOp> copiedAllocations; ///< these stand before the branches
  SmallVector<Operation *> body;                 ///< what of the thread's code runs for each block
  llvm::DenseSet<Operation *> common;            ///< one of these allocations serves all copies
  Accumulators accumulators;                     ///< that are among them
  Phases phases;      ///< what runs once, before and after all blocks; nothing if they are in step
  IRMapping ofPhases; ///< the values of what runs once, for the code of one block
  IRMapping afterwards; ///< the values for what runs after all blocks
  bool usesShared = false;
};

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
      if (copy != 0 && common.contains(&op)) {
        mapping.map(op.getResult(0), mappings[0].lookup(op.getResult(0)));
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

/// Finds the allocations that serve all joined blocks.
std::optional<Refusal> BlockCoarsening::findCommon() {
  if (order != Order::InLoop)
    common = findFilledAlike(old, varying);
  if (sharedCopies == SharedCopies::Own)
    return std::nullopt;
  bool reassociate = sharedCopies == SharedCopies::CommonSums;
  if (auto refusal = findAccumulators(old, varying, common, reassociate, accumulators))
    return refusal;
  SmallVector<LLVM::StoreOp> stores;
  for (Operation *allocation : common)
    if (failed(collectStores(allocation->getResult(0), stores)))
      llvm_unreachable("memory that is filled alike is only loaded from and stored to");
  accumulators.outside.insert(stores.begin(), stores.end());
  common.insert(accumulators.arrays.begin(), accumulators.arrays.end());
  return std::nullopt;
}

/// Lets what clears and flushes common arrays run once, if it can be told from what the blocks do.
/// Interleaved blocks do without that, since what is the same for all of them is kept once.
std::optional<Refusal> BlockCoarsening::takePhases(const Copies &copies) {
  if (accumulators.arrays.empty() || !guards.branches.empty())
    return std::nullopt;
  SmallVector<Operation *> ops = besideThreads;
  llvm::append_range(ops, body);
  std::optional<Phases> found =
      findPhases(ops, accumulators, [&](Operation *op) { return isOwnOfCopies(op, copies); });
  if (!found && order == Order::InLoop)
    return refuse(*accumulators.updates.begin(), RefusalKind::NothingAccumulated,
                  "a step cannot update a shared array without clearing or flushing it");
  if (!found)
    return std::nullopt;
  phases = std::move(*found);
  body = phases.during;
  usesShared = llvm::any_of(old.getBody().front(), [&](Operation &op) {
    return isa<grain::SharedOp, grain::DynamicSharedOp>(op) && !accumulators.arrays.contains(&op);
  });
  return std::nullopt;
}

/// Runs what all blocks have in common before they begin.
void BlockCoarsening::runBefore() {
  for (Operation *op : phases.before) {
    if (op->getNumResults() != 0 && mappings[0].contains(op->getResult(0)))
      continue;
    Operation *once = builder.clone(*op, mappings[0]);
    for (IRMapping &mapping : llvm::drop_begin(mappings))
      mapping.map(op->getResults(), once->getResults());
    ofPhases.map(op->getResults(), once->getResults());
  }
  afterwards = mappings[0];
}

void BlockCoarsening::runAfter() {
  for (Operation *op : phases.after)
    if (op->getNumResults() == 0 || !afterwards.contains(op->getResult(0)))
      builder.clone(*op, afterwards);
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

} // namespace

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
