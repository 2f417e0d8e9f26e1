//===- UnrollAndInterleave.cpp - Several iterations as one ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollAndInterleave/Interleaver.h"

#include "compiler/Transforms/Coarsening.h"

#include "compiler/Analysis/Interaction.h"
#include "compiler/Transforms/UnrollAndInterleave/JoinLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// With more operations than this, compile time grows too much.
constexpr size_t maxOperations = 100000;

/// Marks a branch that versioning has made: true if the copies run together in its then, false if
/// in its else. The other one is for the ends of the iteration space.
constexpr llvm::StringLiteral togetherAttribute = "grain.together";

static size_t countOperations(Region &region) {
  size_t count = 0;
  region.walk([&](Operation *) { ++count; });
  return count;
}

std::optional<Refusal> regrain::unrollAndInterleave(ArrayRef<Operation *> source,
                                                    OpBuilder &builder,
                                                    MutableArrayRef<IRMapping> mappings,
                                                    const Copies &copies) {
  size_t operations = 0;
  for (Operation *op : source)
    op->walk([&](Operation *) { ++operations; });
  if (operations * mappings.size() > maxOperations)
    return refuse(source.front()->getParentOp(), RefusalKind::TooLarge,
                  "the kernel would become too large");
  Interleaver interleaver(builder, copies);
  for (Operation *op : source)
    if (auto refusal = interleaver.interleave(op, mappings))
      return refusal;
  return std::nullopt;
}

bool regrain::isOwnOfCopies(Operation *op, const Copies &copies) {
  OpBuilder builder(op);
  return Interleaver(builder, copies).needsCopies(op);
}

std::optional<Refusal> Interleaver::interleave(Block &source, Mappings mappings) {
  for (Operation &op : source.without_terminator())
    if (auto refusal = interleave(&op, mappings))
      return refusal;
  return std::nullopt;
}

bool Interleaver::needsCopies(Operation *root) const {
  auto isOwnOfCopy = [&](Operation *op) {
    if (copies.once && copies.once->contains(op))
      return false;
    auto differs = [&](Value value) { return varies(value); };
    if (isa<grain::BarrierReduceOp>(op))
      return copies.inOneBlock || differs(op->getOperand(0));
    if (isa<grain::BarrierOp, grain::LoopHintOp>(op))
      return false;
    if (llvm::any_of(op->getOperands(), differs) || llvm::any_of(op->getResults(), differs))
      return true;
    // A plain load differs only if its result does, because reading has no other effect. A plain
    // store of one value to one place can run once.
    constexpr auto notAtomic = LLVM::AtomicOrdering::not_atomic;
    if (auto load = dyn_cast<LLVM::LoadOp>(op); load && !load.getVolatile_())
      return false;
    if (auto store = dyn_cast<LLVM::StoreOp>(op);
        store && !store.getVolatile_() && store.getOrdering() == notAtomic)
      return false;
    return op->getNumRegions() == 0 && hasEffect(op);
  };
  return root
      ->walk([&](Operation *op) {
        return isOwnOfCopy(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Interleaver::haveOneControl(Operation *op) const {
  return !overlap(copies.uniformity.ofControl(op), copies.varying) ||
         (copies.neighbours && copies.neighbours->haveOneControl(op));
}

void Interleaver::mapNear(ValueRange values, Mappings mappings) {
  constexpr auto noWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  for (Value value : values) {
    unsigned stride = copies.neighbours ? copies.neighbours->strideOf(value) : 0;
    if (stride == 0)
      continue;
    Value first = mappings[0].lookup(value);
    for (auto [distance, mapping] : llvm::drop_begin(llvm::enumerate(mappings))) {
      Value number = builder.create<arith::ConstantOp>(
          first.getLoc(), builder.getIntegerAttr(first.getType(), distance * stride));
      mapping.map(value, builder.create<arith::AddIOp>(first.getLoc(), first, number, noWrap));
    }
  }
}

std::optional<Refusal> Interleaver::interleave(Operation *op, Mappings mappings) {
  if (op->getNumResults() != 0 && mappings[0].contains(op->getResult(0)))
    return std::nullopt;
  if (copies.lanes && JoinedLanes::isOfWarp(op)) {
    copies.lanes->join(op, builder, mappings);
    return std::nullopt;
  }
  bool isOfFirst = copies.neighbours && copies.neighbours->isOfFirst(op);
  if (isOfFirst || !needsCopies(op)) {
    keepOnce(op, mappings);
    mapNear(op->getResults(), mappings);
    return std::nullopt;
  }
  if (auto reduce = dyn_cast<grain::BarrierReduceOp>(op); reduce && copies.inOneBlock) {
    combine(reduce, mappings);
    return std::nullopt;
  }
  if (op->getNumRegions() == 0) {
    copyEach(op, mappings);
    return std::nullopt;
  }
  return interleaveRegions(op, mappings);
}

/// Returns the side of a branch for which it is worth to run copies together: the usual one if it
/// is known, otherwise the larger one.
static Region &usualSide(scf::IfOp branch) {
  Region &whenTrue = branch.getThenRegion(), &whenFalse = branch.getElseRegion();
  if (auto together = branch->getAttrOfType<BoolAttr>(togetherAttribute))
    return together.getValue() ? whenTrue : whenFalse;
  return countOperations(whenTrue) >= countOperations(whenFalse) ? whenTrue : whenFalse;
}

std::optional<Refusal> Interleaver::interleaveRegions(Operation *op, Mappings mappings) {
  bool isStructured = isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp>(op);
  bool isCommon = isStructured && haveOneControl(op);
  if (Operation *ofWarp = copies.lanes ? findConvergent(op, Convergence::Warp) : nullptr;
      ofWarp && !isCommon)
    return refuse(ofWarp, RefusalKind::WarpOperation,
                  "joined lanes may not all run a warp operation");
  if (op->hasAttr(storesAttribute)) {
    copyEach(op, mappings);
    return std::nullopt;
  }
  if (isCommon)
    return jam(op, mappings);
  if (!copies.barriers.isIn(op)) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Region &inside = usualSide(branch);
      bool joins = mayJoin(branch, inside);
      if (joins || (running.empty() && isWorthVersioning(branch, inside)))
        return version(branch, inside, joins, mappings);
    }
    if (isWorthPeeling(op))
      return peel(op, mappings);
    copyEach(op, mappings);
    return std::nullopt;
  }
  if (!isStructured)
    return refuse(op, RefusalKind::UnstructuredBarrier,
                  "a barrier is in control flow that cannot be duplicated");
  if (overlap(copies.uniformity.ofControl(op), Dependence::Threads))
    return refuseDivergentBarrier(op);
  if (copies.inOneBlock)
    return jam(op, mappings);
  copyEach(op, mappings);
  return std::nullopt;
}

void Interleaver::keepOnce(Operation *op, Mappings mappings) {
  Operation *kept = builder.clone(*op, mappings[0]);
  for (IRMapping &mapping : mappings.drop_front())
    mapping.map(op->getResults(), kept->getResults());
}

void Interleaver::copyEach(Operation *op, Mappings mappings) {
  if (!running.empty())
    return copyRunning(op, mappings);
  for (IRMapping &mapping : mappings)
    builder.clone(*op, mapping);
}

/// Creates one reduction for `and` and `or`, over the copies' predicates. `count` needs one for
/// each copy, because any predicate that is not zero counts as one.
void Interleaver::combine(grain::BarrierReduceOp op, Mappings mappings) {
  Location location = op.getLoc();
  auto reduce = [&](Value predicate) -> Value {
    Operation *copy = builder.clone(*op, mappings[0]);
    copy->setOperand(0, predicate);
    return copy->getResult(0);
  };
  Value result;
  if (op.getKind() == grain::Reduction::Count) {
    for (IRMapping &mapping : mappings) {
      Value count = reduce(mapping.lookupOrDefault(op.getPredicate()));
      result = result ? builder.create<arith::AddIOp>(location, result, count) : count;
    }
  } else {
    bool isAnd = op.getKind() == grain::Reduction::And;
    Value zero = builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(0));
    Value joined;
    for (IRMapping &mapping : mappings) {
      Value holds = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ne,
                                                  mapping.lookupOrDefault(op.getPredicate()), zero);
      if (!joined)
        joined = holds;
      else if (isAnd)
        joined = builder.create<arith::AndIOp>(location, joined, holds);
      else
        joined = builder.create<arith::OrIOp>(location, joined, holds);
    }
    result = reduce(builder.create<arith::ExtUIOp>(location, builder.getI32Type(), joined));
  }
  for (IRMapping &mapping : mappings)
    mapping.map(op.getResult(), result);
}

/// Returns whether versioning pays: interleaving gains if accesses of the copies can be in flight
/// together.
bool Interleaver::isWorthVersioning(scf::IfOp op, Region &inside) {
  bool hasAccess = false;
  inside.walk([&](Operation *inner) { hasAccess |= isa<LLVM::LoadOp, LLVM::CallOp>(inner); });
  size_t size = countOperations(inside);
  return hasAccess && size <= budget && !findConvergent(op, Convergence::Warp);
}

/// Runs the copies together if the guard holds for all of them, or, if it is joined, for the inner
/// ones.
std::optional<Refusal> Interleaver::version(scf::IfOp op, Region &inside, bool joins,
                                            Mappings mappings) {
  Location location = op.getLoc();
  budget -= std::min<size_t>(budget, countOperations(inside) * mappings.size());
  bool insideIsThen = &inside == &op.getThenRegion();
  Value together;
  for (auto [copy, mapping] : llvm::enumerate(mappings)) {
    if (joins && copies.partners[copy] != copy)
      continue;
    Value condition = mapping.lookupOrDefault(op.getCondition());
    if (!together)
      together = condition;
    else if (insideIsThen)
      together = builder.create<arith::AndIOp>(location, together, condition);
    else
      together = builder.create<arith::OrIOp>(location, together, condition);
  }
  auto versioned =
      builder.create<scf::IfOp>(location, spreadTypes(op.getResults(), mappings.size()), together,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  versioned->setAttr(togetherAttribute, builder.getBoolAttr(insideIsThen));
  Block *interleaved = insideIsThen ? versioned.thenBlock() : versioned.elseBlock();
  Block *oneByOne = insideIsThen ? versioned.elseBlock() : versioned.thenBlock();

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<IRMapping> separate(mappings.begin(), mappings.end());
  builder.setInsertionPointToStart(oneByOne);
  copyEach(op, separate);
  builder.create<scf::YieldOp>(location, spread(op.getResults(), op.getResults(), separate));

  SmallVector<IRMapping> joined(mappings.begin(), mappings.end());
  SmallVector<Value> around = running;
  if (joins) {
    builder.setInsertionPointToStart(interleaved);
    joinGuard(op, insideIsThen, joined);
  }
  auto refusal = jamBlock(inside.front(), *interleaved, op.getResults(), joined);
  running = around;
  if (refusal)
    return refusal;
  gather(op.getResults(), op.getResults(), versioned.getResults(), mappings);
  return std::nullopt;
}
