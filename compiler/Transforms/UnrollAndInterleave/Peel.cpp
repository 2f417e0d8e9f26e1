//===- Peel.cpp - Loops that end at different times -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollAndInterleave/Interleaver.h"

#include "compiler/Analysis/Interaction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Returns whether peeling pays: interleaving gains if accesses of the copies can be in flight
/// together. A condition that the remainder evaluates once more must only read.
bool Interleaver::isWorthPeeling(Operation *op) {
  bool hasAccess = false;
  size_t size = 0;
  op->walk([&](Operation *inner) {
    hasAccess |= isa<LLVM::LoadOp, LLVM::CallOp>(inner);
    ++size;
  });
  if (!hasAccess || size > budget || findConvergent(op, Convergence::Warp))
    return false;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return !varies(loop.getStep()) && loop.getInductionVar().getType().isIntOrIndex();
  auto loop = dyn_cast<scf::WhileOp>(op);
  return loop && llvm::all_of(loop.getBeforeBody()->without_terminator(), [](Operation &inner) {
           return isa<LLVM::LoadOp, grain::LoopHintOp>(inner) || isMemoryEffectFree(&inner);
         });
}

std::optional<Refusal> Interleaver::peel(Operation *op, Mappings mappings) {
  size_t size = 0;
  op->walk([&](Operation *) { ++size; });
  budget -= std::min<size_t>(budget, size * mappings.size());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return peel(loop, mappings);
  return peel(cast<scf::WhileOp>(op), mappings);
}

/// Creates the number of steps that all copies can count together: the minimum of their distances
/// from lower to upper bound. A distance that no signed integer can hold counts as negative, so
/// that the remainders run everything. A distance at which the counter could overflow is reduced.
Value Interleaver::createCommonDistance(scf::ForOp op, Mappings mappings) {
  Location location = op.getLoc();
  Type type = op.getInductionVar().getType();
  auto constant = [&](APInt value) -> Value {
    return builder.create<arith::ConstantOp>(location, builder.getIntegerAttr(type, value));
  };
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value zero = constant(APInt::getZero(width));
  Value step = mappings[0].lookupOrDefault(op.getStep());
  Value common =
      builder.create<arith::SubIOp>(location, constant(APInt::getSignedMaxValue(width)), step);
  for (IRMapping &mapping : mappings) {
    Value lower = mapping.lookupOrDefault(op.getLowerBound());
    Value upper = mapping.lookupOrDefault(op.getUpperBound());
    Value runs = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::sgt, upper, lower);
    Value distance = builder.create<arith::SubIOp>(location, upper, lower);
    distance = builder.create<arith::SelectOp>(location, runs, distance, zero);
    common = builder.create<arith::MinSIOp>(location, common, distance);
  }
  return common;
}

/// Fills the jammed loop, whose counter is the distance that all copies have gone.
std::optional<Refusal> Interleaver::fillJammed(scf::ForOp op, scf::ForOp jammed, Mappings joined) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = op.getLoc();
  ValueRange carried = op.getRegionIterArgs();
  Block *body = jammed.getBody();
  if (!body->empty())
    body->getTerminator()->erase();
  builder.setInsertionPointToStart(body);
  Value position = jammed.getInductionVar();
  for (IRMapping &mapping : joined) {
    Value lower = mapping.lookupOrDefault(op.getLowerBound());
    Value counter =
        builder.create<arith::AddIOp>(location, lower, position, arith::IntegerOverflowFlags::nsw);
    mapping.map(op.getInductionVar(), counter);
  }
  gather(carried, carried, jammed.getRegionIterArgs().drop_front(), joined);
  mapNear(op.getBody()->getArguments(), joined);
  if (auto refusal = interleave(*op.getBody(), joined))
    return refusal;
  SmallVector<Value> next{builder.create<arith::AddIOp>(location, position, jammed.getStep(),
                                                        arith::IntegerOverflowFlags::nsw)};
  llvm::append_range(next, spread(op.getBody()->getTerminator()->getOperands(), carried, joined));
  builder.create<scf::YieldOp>(location, next);
  return std::nullopt;
}

/// Creates the loop of one copy behind the jammed one, which left `state` in what is carried.
LoopLikeOpInterface Interleaver::createRest(LoopLikeOpInterface op, IRMapping &mapping,
                                            const IRMapping &state) {
  IRMapping own(mapping);
  auto rest = cast<LoopLikeOpInterface>(builder.clone(*op, own));
  for (auto [init, argument] : llvm::zip_equal(rest.getInitsMutable(), op.getRegionIterArgs()))
    init.set(state.lookup(argument));
  mapping.map(op->getResults(), rest->getResults());
  return rest;
}

std::optional<Refusal> Interleaver::peel(scf::ForOp op, Mappings mappings) {
  Location location = op.getLoc();
  Value step = mappings[0].lookupOrDefault(op.getStep());
  Value common = createCommonDistance(op, mappings);
  Value zero = builder.create<arith::ConstantOp>(location, builder.getZeroAttr(common.getType()));
  ValueRange carried = op.getRegionIterArgs();
  SmallVector<Value> inits{zero};
  llvm::append_range(inits, spread(op.getInitArgs(), carried, mappings));
  auto jammed = builder.create<scf::ForOp>(location, zero, common, step, inits);
  SmallVector<IRMapping> joined(mappings.begin(), mappings.end());
  if (auto refusal = fillJammed(op, jammed, joined))
    return refusal;
  gather(carried, carried, jammed.getResults().drop_front(), joined);
  for (auto [mapping, state] : llvm::zip_equal(mappings, joined)) {
    Value lower = mapping.lookupOrDefault(op.getLowerBound());
    Value start = builder.create<arith::AddIOp>(location, lower, jammed.getResult(0));
    LoopLikeOpInterface rest = createRest(op, mapping, state);
    cast<scf::ForOp>(rest.getOperation()).setLowerBound(start);
  }
  return std::nullopt;
}

/// Fills the jammed loop, which runs as long as all copies go on. It returns what it carries, and
/// behind that what the condition hands out.
std::optional<Refusal> Interleaver::fillJammed(scf::WhileOp op, scf::WhileOp jammed,
                                               Mappings joined) {
  OpBuilder::InsertionGuard guard(builder);
  ValueRange carried = op.getBeforeArguments(), passed = op.getAfterArguments();
  auto createArguments = [&](Region &region, TypeRange types) {
    return builder.createBlock(&region, {}, types,
                               SmallVector<Location>(types.size(), op.getLoc()));
  };
  Block *before = createArguments(jammed.getBefore(), jammed.getInits().getTypes());
  gather(carried, carried, before->getArguments(), joined);
  mapNear(carried, joined);
  if (auto refusal = interleave(*op.getBeforeBody(), joined))
    return refusal;
  scf::ConditionOp condition = op.getConditionOp();
  Value all;
  for (IRMapping &mapping : joined) {
    Value goesOn = mapping.lookupOrDefault(condition.getCondition());
    all = all ? builder.create<arith::AndIOp>(op.getLoc(), all, goesOn) : goesOn;
  }
  SmallVector<Value> forwarded(before->getArguments());
  llvm::append_range(forwarded, spread(condition.getArgs(), passed, joined));
  builder.create<scf::ConditionOp>(op.getLoc(), all, forwarded);
  Block *after = createArguments(jammed.getAfter(), jammed.getResultTypes());
  gather(passed, passed, after->getArguments().drop_front(before->getNumArguments()), joined);
  mapNear(passed, joined);
  return jamBlock(*op.getAfterBody(), *after, carried, joined);
}

/// From what the jammed loop carries, each copy's own loop evaluates its condition again.
std::optional<Refusal> Interleaver::peel(scf::WhileOp op, Mappings mappings) {
  ValueRange carried = op.getBeforeArguments();
  SmallVector<Value> inits = spread(op.getInits(), carried, mappings);
  SmallVector<Type> types = spreadTypes(carried, mappings.size());
  size_t handedOut = types.size();
  llvm::append_range(types, spreadTypes(op.getAfterArguments(), mappings.size()));
  auto jammed = builder.create<scf::WhileOp>(op.getLoc(), types, inits);
  SmallVector<IRMapping> joined(mappings.begin(), mappings.end());
  if (auto refusal = fillJammed(op, jammed, joined))
    return refusal;
  gather(carried, carried, jammed.getResults().take_front(handedOut), joined);
  for (auto [mapping, state] : llvm::zip_equal(mappings, joined))
    createRest(op, mapping, state);
  return std::nullopt;
}
