//===- PairBarriers.cpp - Barriers out of both branches -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitGuards/PairBarriers.h"

#include "compiler/Transforms/SplitGuards/Outside.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

namespace {

using Segment = SmallVector<Operation *>;

/// One branch, cut at its barriers into one more segment than there are barriers.
struct Branch {
  explicit Branch(Block &block) : segments(1) {
    for (Operation &op : block.without_terminator())
      if (isBarrier(&op)) {
        barriers.push_back(&op);
        segments.emplace_back();
      } else {
        segments.back().push_back(&op);
      }
  }

  [[nodiscard]] ArrayRef<Operation *> segment(size_t index) const {
    return index < segments.size() ? ArrayRef<Operation *>(segments[index])
                                   : ArrayRef<Operation *>();
  }
  [[nodiscard]] Operation *barrier(size_t index) const {
    return index < barriers.size() ? barriers[index] : nullptr;
  }

  SmallVector<Segment> segments;
  SmallVector<Operation *> barriers;
};

class Pairing {
public:
  explicit Pairing(scf::IfOp guard)
      : guard(guard), inThen(*guard.thenBlock()), inElse(*guard.elseBlock()), builder(guard) {}

  void run();

private:
  void joinSegments(ArrayRef<Operation *> first, ArrayRef<Operation *> second);
  void fill(Block &block, ArrayRef<Operation *> segment, ValueRange own, ValueRange before,
            ValueRange behind);
  void joinBarriers(Operation *first, Operation *second);
  Value predicateOf(Operation *barrier, grain::Reduction kind);

  scf::IfOp guard;
  Branch inThen, inElse;
  OpBuilder builder;
};

bool isUsedOutside(Value value, ArrayRef<Operation *> segment) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return llvm::none_of(segment, [&](Operation *op) { return op->isAncestor(user); });
  });
}

SmallVector<Value> escapingFrom(ArrayRef<Operation *> segment) {
  SmallVector<Value> escaping;
  for (Operation *op : segment)
    for (Value result : op->getResults())
      if (isUsedOutside(result, segment))
        escaping.push_back(result);
  return escaping;
}

/// Fills `block` with `segment`, and yields `own` between what the other branch yields before and
/// after it.
void Pairing::fill(Block &block, ArrayRef<Operation *> segment, ValueRange own, ValueRange before,
                   ValueRange behind) {
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(&block);
  Location location = guard.getLoc();
  SmallVector<Value> yielded = createMissing(builder, location, before);
  llvm::append_range(yielded, own);
  llvm::append_range(yielded, createMissing(builder, location, behind));
  Operation *end = builder.create<scf::YieldOp>(location, yielded);
  for (Operation *op : segment)
    op->moveBefore(end);
}

void Pairing::joinSegments(ArrayRef<Operation *> first, ArrayRef<Operation *> second) {
  if (first.empty() && second.empty())
    return;
  SmallVector<Value> fromThen = escapingFrom(first), fromElse = escapingFrom(second);
  SmallVector<Value> all(fromThen);
  llvm::append_range(all, fromElse);
  auto part =
      builder.create<scf::IfOp>(guard.getLoc(), ValueRange(all).getTypes(), guard.getCondition());
  for (Region *region : {&part.getThenRegion(), &part.getElseRegion()}) {
    region->getBlocks().clear();
    region->emplaceBlock();
  }
  for (auto [value, result] : llvm::zip_equal(all, part.getResults()))
    value.replaceUsesWithIf(result, [&, value = value](OpOperand &use) {
      ArrayRef<Operation *> own = llvm::is_contained(first, value.getDefiningOp()) ? first : second;
      return llvm::none_of(own, [&](Operation *op) { return op->isAncestor(use.getOwner()); });
    });
  fill(*part.thenBlock(), first, fromThen, {}, fromElse);
  fill(*part.elseBlock(), second, fromElse, fromThen, {});
}

/// A thread of the other branch that meets no such barrier must not influence the reduction.
Value Pairing::predicateOf(Operation *barrier, grain::Reduction kind) {
  return barrier ? cast<grain::BarrierReduceOp>(barrier).getPredicate()
                 : createNeutral(builder, guard.getLoc(), kind);
}

void Pairing::joinBarriers(Operation *first, Operation *second) {
  Operation *kept = first ? first : second;
  if (auto reduce = dyn_cast<grain::BarrierReduceOp>(kept)) {
    Value predicate = builder.create<arith::SelectOp>(guard.getLoc(), guard.getCondition(),
                                                      predicateOf(first, reduce.getKind()),
                                                      predicateOf(second, reduce.getKind()));
    reduce.getPredicateMutable().assign(predicate);
  }
  kept->moveBefore(guard);
  if (first && second) {
    second->replaceAllUsesWith(first);
    second->erase();
  }
}

void Pairing::run() {
  size_t count = std::max(inThen.barriers.size(), inElse.barriers.size());
  for (size_t index = 0; index < count; ++index) {
    joinSegments(inThen.segment(index), inElse.segment(index));
    joinBarriers(inThen.barrier(index), inElse.barrier(index));
  }
  joinSegments(inThen.segment(count), inElse.segment(count));
  for (OpResult result : guard.getResults()) {
    unsigned index = result.getResultNumber();
    result.replaceAllUsesWith(builder.create<arith::SelectOp>(guard.getLoc(), guard.getCondition(),
                                                              guard.thenYield().getOperand(index),
                                                              guard.elseYield().getOperand(index)));
  }
  guard.erase();
}

} // namespace

bool regrain::canPairBarriers(scf::IfOp guard, const Barriers &barriers) {
  Branch inThen(*guard.thenBlock()), inElse(*guard.elseBlock());
  auto holdsOthers = [&](const Branch &branch) {
    return llvm::any_of(branch.segments, [&](ArrayRef<Operation *> segment) {
      return llvm::any_of(segment, [&](Operation *op) { return barriers.isIn(op); });
    });
  };
  auto kindOf = [](Operation *barrier) -> std::optional<grain::Reduction> {
    auto reduce = dyn_cast<grain::BarrierReduceOp>(barrier);
    return reduce ? std::optional(reduce.getKind()) : std::nullopt;
  };
  return !holdsOthers(inThen) && !holdsOthers(inElse) &&
         llvm::all_of(llvm::zip(inThen.barriers, inElse.barriers), [&](auto pair) {
           return kindOf(std::get<0>(pair)) == kindOf(std::get<1>(pair));
         });
}

void regrain::pairBarriers(scf::IfOp guard) { Pairing(guard).run(); }
