//===- JoinGuards.cpp - Neighbours that a guard excludes run as well ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollAndInterleave/Interleaver.h"

#include "compiler/Analysis/Speculation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Returns whether a copy whose guard excludes it may run the operation itself, as `copyRunning`
/// copies it.
bool Interleaver::mayRunExcluded(Operation *op) const {
  constexpr auto notAtomic = LLVM::AtomicOrdering::not_atomic;
  if (llvm::is_contained(copies.forRareCases, op))
    return false;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() && load.getOrdering() == notAtomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return !store.getVolatile_() && store.getOrdering() == notAtomic;
  if (isa<grain::LoopHintOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (op->getNumRegions() == 0)
    return mayRunAnywhere(op);
  return haveOneControl(op) ? isa<scf::IfOp, scf::ForOp>(op)
                            : isa<scf::IfOp>(op) && op->getNumResults() == 0;
}

/// Returns whether the guard can be joined, and whether that pays.
bool Interleaver::mayJoin(scf::IfOp op, Region &inside) {
  Region &other = &inside == &op.getThenRegion() ? op.getElseRegion() : op.getThenRegion();
  bool isGuard =
      op->getNumResults() == 0 && (other.empty() || llvm::hasSingleElement(other.front()));
  return !copies.partners.empty() && isGuard && isWorthVersioning(op, inside) &&
         !inside
              .walk([&](Operation *inner) {
                return mayRunExcluded(inner) ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Creates whether the copy runs the guarded region, which it does if the condition is `runsIf`.
/// What all copies have in common holds, because the inner ones run the region.
Value Interleaver::createRuns(Value condition, bool runsIf, const IRMapping &mapping) {
  Location location = condition.getLoc();
  auto create = [&](bool value) -> Value {
    return builder.create<arith::ConstantOp>(location, builder.getBoolAttr(value));
  };
  if (!varies(condition))
    return create(true);
  Value first, second;
  if (auto both = condition.getDefiningOp<arith::AndIOp>(); both && runsIf)
    std::tie(first, second) = std::pair(both.getLhs(), both.getRhs());
  else if (auto either = condition.getDefiningOp<arith::OrIOp>(); either && !runsIf)
    std::tie(first, second) = std::pair(either.getLhs(), either.getRhs());
  else if (auto select = condition.getDefiningOp<arith::SelectOp>();
           select && matchPattern(runsIf ? select.getFalseValue() : select.getTrueValue(),
                                  runsIf ? m_Zero() : m_One()))
    std::tie(first, second) =
        std::pair(select.getCondition(), runsIf ? select.getTrueValue() : select.getFalseValue());
  if (first) // the second may be poison where the first decides
    return builder.create<arith::SelectOp>(location, createRuns(first, runsIf, mapping),
                                           createRuns(second, runsIf, mapping), create(false));
  Value mapped = mapping.lookupOrDefault(condition);
  return runsIf ? mapped : builder.create<arith::XOrIOp>(location, mapped, create(true));
}

/// Notes which copies run a guarded region.
void Interleaver::joinGuard(scf::IfOp op, bool insideIsThen, Mappings mappings) {
  ++*copies.joinedGuards;
  running.resize(mappings.size());
  for (auto [copy, mapping] : llvm::enumerate(mappings)) {
    if (copies.partners[copy] == copy)
      continue;
    Value runs = createRuns(op.getCondition(), insideIsThen, mapping);
    if (running[copy]) {
      Value none = builder.create<arith::ConstantOp>(op.getLoc(), builder.getBoolAttr(false));
      runs = builder.create<arith::SelectOp>(op.getLoc(), running[copy], runs, none);
    }
    running[copy] = runs;
  }
}

void Interleaver::copyRunning(Operation *op, Mappings mappings) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return copyLoad(load, mappings);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return copyStore(store, mappings);
  for (auto [copy, mapping] : llvm::enumerate(mappings))
    if (op->getNumRegions() == 0)
      builder.clone(*op, mapping);
    else
      copyIfRunning(op, copy, mappings);
}

/// Copies an operation without results for a copy that may not run.
void Interleaver::copyIfRunning(Operation *op, unsigned copy, Mappings mappings) {
  OpBuilder::InsertionGuard guard(builder);
  if (Value runs = running[copy]) {
    auto guarded = builder.create<scf::IfOp>(op->getLoc(), runs, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
  }
  builder.clone(*op, mappings[copy]);
}

/// A copy that does not run loads what its partner loads, and has no value of its own.
void Interleaver::copyLoad(LLVM::LoadOp op, Mappings mappings) {
  Location location = op.getLoc();
  for (auto [copy, mapping] : llvm::enumerate(mappings)) {
    Value runs = running[copy];
    Operation *load = builder.clone(*op, mapping);
    if (!runs)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(load);
    Value other = mappings[copies.partners[copy]].lookupOrDefault(op.getAddr());
    Value address = builder.create<arith::SelectOp>(location, runs, load->getOperand(0), other);
    load->setOperand(0, address);
    builder.setInsertionPointAfter(load);
    Value none = builder.create<LLVM::PoisonOp>(location, op.getType());
    mapping.map(op.getResult(),
                builder.create<arith::SelectOp>(location, runs, load->getResult(0), none));
  }
}

/// Copies that all run store together, so that their stores can become wide. The others store in
/// another order, so that LLVM does not take the last stores of both for one.
void Interleaver::copyStore(LLVM::StoreOp op, Mappings mappings) {
  Location location = op.getLoc();
  Value all;
  for (Value runs : running)
    if (runs)
      all = all ? builder.create<arith::AndIOp>(location, all, runs) : runs;
  auto together = builder.create<scf::IfOp>(location, all, /*withElseRegion=*/true);
  together->setAttr(storesAttribute, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(together.thenBlock());
  for (IRMapping &mapping : mappings)
    builder.clone(*op, mapping);
  builder.setInsertionPointToStart(together.elseBlock());
  for (bool isInner : {false, true})
    for (unsigned copy = 0; copy < mappings.size(); ++copy)
      if (isInner == (copies.partners[copy] == copy))
        copyIfRunning(op, copy, mappings);
}
