//===- LoopChecks.cpp - Whether threads may exchange iterations -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealIterations/LoopChecks.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/Intervals.h"
#include "compiler/Transforms/Coarsening.h"

using namespace mlir;
using namespace regrain;

Refusal regrain::refuseDealing(Operation *op, const Twine &reason) {
  return refuse(op, RefusalKind::NothingDealt, reason);
}

bool regrain::isRegrouped(grain::BlocksOp blocks) {
  grain::ThreadsOp threads = blocks.threads();
  return isCoarse(blocks.getFactors()) || isCoarse(threads.getFactors()) || threads.getFused() ||
         threads.getShape();
}

LoopChecks::LoopChecks(scf::ForOp loop, DealingFacts &facts)
    : loop(loop), facts(facts), counter(loop.getInductionVar()),
      threads(loop->getParentOfType<grain::ThreadsOp>()),
      x(facts.sums.symbolOf(threads.getBody().getArgument(0))), trip(facts.sums.symbolOf(counter)) {
  std::optional<int32_t> known = threads.getKnownIterations(0);
  size = known ? WrappingSum::of(*known) : WrappingSums::blockSize();
}

std::optional<Refusal> LoopChecks::checkSurroundings() {
  for (Operation *op = loop->getParentOp(); op != threads; op = op->getParentOp()) {
    auto condition = dyn_cast<scf::IfOp>(op);
    if (!condition)
      return refuseDealing(loop, "the loop is in another loop or control flow");
    if (!facts.isSame(condition.getCondition()))
      return refuseDealing(loop, "the condition around the loop is not known to be the same for "
                                 "all threads");
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

bool LoopChecks::isKnown(Value value) const {
  if (!isIn(value))
    return facts.isSame(value);
  return known.contains(value) || (isa<BlockArgument>(value) && value != counter);
}

/// Refuses an operation of the body whose effect does not follow from the element.
std::optional<Refusal> LoopChecks::checkOperation(Operation *op) {
  if (isBarrier(op) || (interactionOf(op).isAny() && !permits(op)))
    return refuseDealing(op, "an operation of the loop concerns other threads");
  if (isa<LLVM::AllocaOp>(op))
    return refuseDealing(op, "the loop uses memory of the thread's own");
  if (std::optional<Access> access = facts.accesses.of(op)) {
    bool mayBeOwn = access->kind == Base::Stack || access->kind == Base::ByValue ||
                    access->kind == Base::Unknown;
    if (access->addressSpace == localSpace || (mayBeOwn && facts.hasOwnMemory))
      return refuseDealing(op, "the loop uses memory of the thread's own");
    inside.push_back(*access);
  }
  if (llvm::all_of(op->getOperands(), [&](Value operand) { return isKnown(operand); })) {
    known.insert(op->result_begin(), op->result_end());
    return std::nullopt;
  }
  bool isPlain =
      op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && !hasEffect(op);
  if (!isPlain)
    return refuseDealing(op, "the loop uses a value that may differ between threads in another way "
                             "than the number of the element");
  if (op->getNumResults() == 1)
    addElement(op->getResult(0));
  return std::nullopt;
}

std::optional<Refusal> LoopChecks::checkBody() {
  std::optional<Refusal> refusal;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    refusal = checkOperation(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::optional<Refusal> LoopChecks::checkOutside(const Interval &outside) {
  if (outside.isOpaque)
    return refuseDealing(loop, "an operation before or behind the loop may concern other threads, "
                               "and no barrier lies between them");
  for (const Access &own : inside)
    for (const Access &other : outside.accesses)
      if ((own.writes || other.writes) &&
          facts.accesses.mayAlias(other, own, Who::Same, /*apart=*/loop))
        return refuseDealing(own.op, "the thread may access the memory of the loop outside of it");
  return std::nullopt;
}

/// Returns whether the sum is the same in all iterations of a thread.
bool LoopChecks::isBefore(const WrappingSum &sum) const {
  return llvm::all_of(sum.getTerms(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](unsigned symbol) {
      Value value = facts.sums.valueOf(symbol);
      return !value || !isIn(value);
    });
  });
}

/// Returns whether both access the element of an array whose number is that of the element and a
/// number that is the same in all iterations, so that other iterations access other elements.
bool LoopChecks::areOneElementEach(const Access &one, const Access &other) const {
  DataLayout layout = DataLayout::closest(loop);
  auto find = [&](const Access &access) -> std::optional<AddressSum> {
    auto load = dyn_cast<LLVM::LoadOp>(access.op);
    auto store = dyn_cast<LLVM::StoreOp>(access.op);
    if (!load && !store)
      return std::nullopt;
    return addressSumOf(load ? load.getAddr() : store.getAddr(), layout);
  };
  std::optional<AddressSum> first = find(one), second = find(other);
  if (!first || !second || first->base != second->base || isIn(first->base) ||
      first->constant != second->constant || first->terms.size() != 1 ||
      second->terms.size() != 1 || first->terms[0] != second->terms[0])
    return false;
  auto [index, bytes] = first->terms[0];
  if (Operation *op = index.getDefiningOp(); isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op))
    index = op->getOperand(0);
  unsigned bits = index.getType().getIntOrFloatBitWidth();
  WrappingSum sum = facts.sums.of(index), perTrip = sum.factorOf(trip);
  WrappingSum rest = sum.plus(uint64_t(-1), WrappingSum::ofSymbol(trip).times(perTrip));
  return isBefore(rest) && differIn(perTrip, bits) && one.size && other.size &&
         std::max(*one.size, *other.size) <= bytes;
}

std::optional<Refusal> LoopChecks::checkMemory() {
  for (const Access &one : inside)
    for (const Access &other : inside) {
      if ((!one.writes && !other.writes) || commute(one.op, other.op) ||
          areOneElementEach(one, other) ||
          !facts.accesses.mayAliasInOtherIteration(one, other, loop))
        continue;
      if (one.base && other.base && one.base != other.base)
        return refuseDealing(one.op,
                             "the loop writes through one pointer and uses another, and what "
                             "they point to may overlap");
      return refuseDealing(one.op, "several iterations of the loop may access the same memory");
    }
  if (auto refusal = checkOutside(intervalBefore(loop, facts.accesses)))
    return refusal;
  return checkOutside(intervalAfter(loop, facts.accesses));
}
