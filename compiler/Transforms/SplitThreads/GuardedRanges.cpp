//===- GuardedRanges.cpp - Loops whose guard looks at the counter ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/GuardedRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace regrain;

namespace {

/// A condition that has one value up to an iteration, and the other one from there on.
struct Guard {
  arith::CmpIOp comparison;
  Value bound;
  bool isFirstTrue; ///< it holds in the first part
  bool isIncluded;  ///< the iteration of `bound` belongs to the first part
};

} // namespace

/// Returns whether `counter predicate bound` holds in the first part, and whether the iteration of
/// the bound belongs to that.
static std::optional<std::pair<bool, bool>> senseOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return std::pair(true, false);
  case arith::CmpIPredicate::sle:
    return std::pair(true, true);
  case arith::CmpIPredicate::sgt:
    return std::pair(false, true);
  case arith::CmpIPredicate::sge:
    return std::pair(false, false);
  default:
    return std::nullopt;
  }
}

static std::optional<Guard> guardOf(scf::ForOp loop, arith::CmpIOp comparison) {
  Value counter = loop.getInductionVar(), bound = comparison.getRhs();
  auto sense = senseOf(comparison.getPredicate());
  bool isSwapped = bound == counter;
  if (isSwapped)
    bound = comparison.getLhs();
  else if (comparison.getLhs() != counter)
    return std::nullopt;
  bool isOutside = bound.getParentRegion()->isProperAncestor(&loop.getRegion());
  bool guards = llvm::any_of(comparison->getUsers(), llvm::IsaPred<scf::IfOp>);
  if (!sense || !isOutside || !guards)
    return std::nullopt;
  // `bound < counter` holds in the second part, which the bound does not belong to.
  auto [isFirstTrue, isIncluded] = *sense;
  return isSwapped ? Guard{comparison, bound, !isFirstTrue, !isIncluded}
                   : Guard{comparison, bound, isFirstTrue, isIncluded};
}

/// Creates where the second part begins: the first iteration that is not in the first part, between
/// the bounds of the loop. Numbers of 64 bits do not wrap.
static Value createMiddle(OpBuilder &builder, scf::ForOp loop, const Guard &guard) {
  Location location = loop.getLoc();
  Type i64 = builder.getI64Type();
  auto widen = [&](Value value) {
    return builder.create<arith::ExtSIOp>(location, i64, value).getResult();
  };
  auto choose = [&](arith::CmpIPredicate predicate, Value one, Value other) -> Value {
    Value isOne = builder.create<arith::CmpIOp>(location, predicate, one, other);
    return builder.create<arith::SelectOp>(location, isOne, one, other);
  };
  Value middle = widen(guard.bound);
  if (guard.isIncluded) {
    Value one = builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(1));
    middle = builder.create<arith::AddIOp>(location, middle, one, arith::IntegerOverflowFlags::nsw);
  }
  middle = choose(arith::CmpIPredicate::slt, middle, widen(loop.getUpperBound()));
  middle = choose(arith::CmpIPredicate::sgt, middle, widen(loop.getLowerBound()));
  return builder.create<arith::TruncIOp>(location, loop.getInductionVar().getType(), middle);
}

static std::optional<Guard> findGuard(scf::ForOp loop) {
  bool isSimple = loop.getNumRegionIterArgs() == 0 && getConstantIntValue(loop.getStep()) == 1 &&
                  loop.getInductionVar().getType().isInteger(32);
  if (isSimple)
    for (auto comparison : loop.getBody()->getOps<arith::CmpIOp>())
      if (std::optional<Guard> guard = guardOf(loop, comparison))
        return guard;
  return std::nullopt;
}

Operation *regrain::findDividingGuard(scf::ForOp loop) {
  std::optional<Guard> guard = findGuard(loop);
  return guard ? guard->comparison.getOperation() : nullptr;
}

/// Replaces a branch by the side that is taken.
static void takeSide(scf::IfOp branch, bool isThen) {
  Region &side = isThen ? branch.getThenRegion() : branch.getElseRegion();
  if (!side.empty()) {
    Operation *end = side.front().getTerminator();
    branch->replaceAllUsesWith(SmallVector<Value>(end->getOperands()));
    end->erase();
    branch->getBlock()->getOperations().splice(branch->getIterator(), side.front().getOperations());
  }
  branch->erase();
}

/// Replaces the comparison by what it is, and the branches that it decides by the side taken. The
/// side that is not taken may hold other such branches, so each is looked for anew.
static void decide(Operation *comparison, bool holds) {
  auto isBranch = llvm::IsaPred<scf::IfOp>;
  for (auto user = llvm::find_if(comparison->getUsers(), isBranch); user != comparison->user_end();
       user = llvm::find_if(comparison->getUsers(), isBranch))
    takeSide(cast<scf::IfOp>(*user), holds);
  OpBuilder inside(comparison);
  Value known = inside.create<arith::ConstantOp>(comparison->getLoc(), inside.getBoolAttr(holds));
  comparison->replaceAllUsesWith(ValueRange{known});
  comparison->erase();
}

SmallVector<scf::ForOp> regrain::divideAtGuard(scf::ForOp loop, scf::ForOp first) {
  std::optional<Guard> guard = findGuard(loop);
  if (!guard)
    return {loop};
  DominanceInfo dominance;
  bool isEarly =
      llvm::all_of(ValueRange{guard->bound, loop.getLowerBound(), loop.getUpperBound()},
                   [&](Value value) { return dominance.properlyDominates(value, first); });
  OpBuilder early(isEarly ? first : loop), builder(loop);
  Value middle = createMiddle(early, loop, *guard);
  IRMapping mapping;
  auto part = cast<scf::ForOp>(builder.clone(*loop, mapping));
  Operation *ofPart = mapping.lookup(guard->comparison.getOperation());
  part.setUpperBound(middle);
  loop.setLowerBound(middle);
  decide(ofPart, guard->isFirstTrue);
  decide(guard->comparison, !guard->isFirstTrue);
  return {part, loop};
}
