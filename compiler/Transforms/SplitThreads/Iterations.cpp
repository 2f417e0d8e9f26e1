//===- Iterations.cpp - Copies of a loop's iterations ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/Iterations.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Transforms/WidenSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

/// Lets one operation in the loop extend the counter to 64 bits. A counter that starts at no
/// negative number has none. Returns null if there is no such operation.
static Operation *joinExtensions(scf::ForOp loop) {
  widenSums(*loop.getBody(), loop.getInductionVar());
  Value counter = loop.getInductionVar();
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
  Operation *joined = nullptr;
  for (Operation *user : llvm::make_early_inc_range(counter.getUsers())) {
    bool isSame = isa<arith::ExtSIOp>(user) || (isa<arith::ExtUIOp>(user) && first && *first >= 0);
    if (!isSame || !user->getResult(0).getType().isInteger(64))
      continue;
    if (!joined) {
      OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
      joined = inside.create<arith::ExtSIOp>(user->getLoc(), inside.getI64Type(), counter);
    }
    user->getResult(0).replaceAllUsesWith(joined->getResult(0));
    user->erase();
  }
  return joined;
}

/// Returns whether the operation, or one in it, uses a value of the set.
static bool usesAny(Operation *root, const llvm::DenseSet<Value> &values) {
  auto uses = [&](Operation *op) {
    bool isUser =
        llvm::any_of(op->getOperands(), [&](Value value) { return values.contains(value); });
    return isUser ? WalkResult::interrupt() : WalkResult::advance();
  };
  return root->walk(uses).wasInterrupted();
}

static bool accessesMemory(Operation *root) {
  auto accesses = [](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    bool isAccess = call ? kindOf(call) != CalleeKind::Math
                         : op->getNumRegions() == 0 && !isMemoryEffectFree(op);
    return isAccess ? WalkResult::interrupt() : WalkResult::advance();
  };
  return root->walk(accesses).wasInterrupted();
}

bool Iterations::canInterleave(scf::ForOp loop) {
  llvm::DenseSet<Value> late;
  late.insert(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  return llvm::none_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    bool follows = usesAny(&op, late);
    if (follows)
      late.insert(op.result_begin(), op.result_end());
    return follows && accessesMemory(&op);
  });
}

/// Sorts the operations of the body. If one that needs a carried value accesses memory, none may
/// pass it, so all follow.
Iterations::Iterations(const DealtLoop &dealt)
    : dealt(dealt), loop(dealt.loop), wideCounter(joinExtensions(dealt.loop)) {
  llvm::SmallPtrSet<Operation *, 8> sums;
  for (const CarriedValue &carried : dealt.carried.values)
    if (carried.kind == CarriedValue::Ordered)
      sums.insert(carried.links.begin(), carried.links.end());
  llvm::DenseSet<Value> late;
  late.insert(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  SmallVector<Operation *> all;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == wideCounter || sums.contains(&op))
      continue;
    all.push_back(&op);
    bool follows = usesAny(&op, late);
    if (follows)
      late.insert(op.result_begin(), op.result_end());
    (follows ? following : alone).push_back(&op);
  }
  if (canInterleave(loop))
    return;
  alone.clear();
  following = all;
}

IRMapping Iterations::startAt(OpBuilder &builder, Value counter) {
  IRMapping mapping;
  Value before = loop.getInductionVar();
  if (wideCounter)
    mapping.map(wideCounter->getResult(0), counter);
  bool isUsed = llvm::any_of(before.getUsers(), [&](Operation *op) { return op != wideCounter; });
  if (before.getType() != counter.getType() && isUsed)
    counter = builder.create<arith::TruncIOp>(loop.getLoc(), before.getType(), counter);
  mapping.map(before, counter);
  return mapping;
}

/// Replaces what is carried by what it is behind an iteration.
void Iterations::carryOn(OpBuilder &builder, const IRMapping &mapping, Value counter,
                         MutableArrayRef<Value> carried) {
  unsigned count = loop.getNumRegionIterArgs();
  for (unsigned number = 0; number < count; ++number)
    if (isCarried(number))
      carried[number] =
          mapping.lookupOrDefault(loop.getBody()->getTerminator()->getOperand(number));
  for (auto [index, choice] : llvm::enumerate(dealt.carried.choices)) {
    Value condition = mapping.lookupOrDefault(choice.comparison->getResult(0));
    Value &position = carried[count + index];
    Value whereTrue = choice.takesWhereTrue ? counter : position;
    Value whereFalse = choice.takesWhereTrue ? position : counter;
    position = builder.create<arith::SelectOp>(loop.getLoc(), condition, whereTrue, whereFalse);
  }
}

/// Creates what an iteration does with what is carried.
void Iterations::runFollowing(OpBuilder &builder, IRMapping &mapping, Value counter,
                              MutableArrayRef<Value> carried) {
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isCarried(number))
      mapping.map(argument, carried[number]);
  for (Operation *op : following)
    builder.clone(*op, mapping);
  carryOn(builder, mapping, counter, carried);
}

SmallVector<IRMapping> Iterations::copy(OpBuilder &builder, ArrayRef<Value> counters,
                                        MutableArrayRef<Value> carried) {
  SmallVector<IRMapping> mappings;
  for (Value counter : counters)
    mappings.push_back(startAt(builder, counter));
  for (Operation *op : alone) {
    // One hint in a loop is enough.
    size_t times = isa<grain::LoopHintOp>(op) ? 1 : mappings.size();
    for (IRMapping &mapping : MutableArrayRef(mappings).take_front(times))
      builder.clone(*op, mapping);
  }
  for (auto [counter, mapping] : llvm::zip_equal(counters, mappings))
    runFollowing(builder, mapping, counter, carried);
  return mappings;
}

SmallVector<IRMapping> Iterations::copyRounds(OpBuilder &builder, ArrayRef<Value> counters,
                                              const KeptRows &kept,
                                              MutableArrayRef<Value> carried) {
  SmallVector<IRMapping> mappings;
  llvm::SmallPtrSet<Operation *, 8> gone(dealt.rows.dropped.begin(), dealt.rows.dropped.end());
  for (const RowAccess &load : dealt.rows.loads)
    gone.insert(load.op);
  for (auto [number, counter] : llvm::enumerate(counters)) {
    mappings.push_back(startAt(builder, counter));
    for (const RowAccess &load : dealt.rows.loads)
      mappings.back().map(load.op->getResult(0), kept[load.row][number]);
  }
  // What is kept takes a register in any case, so all of it is loaded first. Other elements would
  // take registers in vain.
  bool loadsFirst = llvm::any_of(
      dealt.rows.sources, [](const RowAccess &source) { return isa<LLVM::LoadOp>(source.op); });
  size_t together = loadsFirst ? counters.size() : dealt.width;
  for (size_t first = 0; first < counters.size(); first += together) {
    auto some = MutableArrayRef(mappings).slice(first, together);
    for (Operation *op : alone)
      if (!gone.contains(op) && !isa<grain::LoopHintOp>(op))
        for (IRMapping &mapping : some)
          builder.clone(*op, mapping);
    for (auto [counter, mapping] : llvm::zip_equal(counters.slice(first, together), some))
      runFollowing(builder, mapping, counter, carried);
  }
  return mappings;
}
