//===- ElementLoop.cpp - Loops over elements of threads -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealIterations/ElementLoop.h"

#include "compiler/Analysis/Callee.h"

using namespace mlir;
using namespace regrain;

/// Returns whether what `address` points to is only read.
static bool isOnlyRead(Value address) {
  return llvm::all_of(address.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    return isa<LLVM::LoadOp>(user) ||
           (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user) && use.getOperandNumber() == 0 &&
            isOnlyRead(user->getResult(0)));
  });
}

DealingFacts::DealingFacts(grain::KernelOp kernel)
    : uniformity(kernel), accesses(kernel), sums(kernel) {
  kernel.walk([&](LLVM::AllocaOp) { hasOwnMemory = true; });
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName()))
      hasOwnMemory |= !isOnlyRead(argument);
}

bool DealingFacts::isSameBefore(Operation *loop, const WrappingSum &sum) const {
  return llvm::all_of(sum.getTerms(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](unsigned symbol) {
      Value value = sums.valueOf(symbol);
      return !value || (isSame(value) && !loop->isAncestor(value.getParentBlock()->getParentOp()));
    });
  });
}

/// Returns the operands of a minimum of signed numbers; nulls if it is none.
static std::pair<Value, Value> minimumOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::MinSIOp, LLVM::SMinOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  auto call = dyn_cast_or_null<LLVM::CallOp>(op);
  if (call && kindOf(call) == CalleeKind::Math &&
      (call.getCallee() == "__nv_min" || call.getCallee() == "__nv_llmin"))
    return {call.getArgOperands()[0], call.getArgOperands()[1]};
  auto choice = dyn_cast_or_null<arith::SelectOp>(op);
  auto compare = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!compare)
    return {};
  using Predicate = arith::CmpIPredicate;
  Value less = compare.getLhs(), more = compare.getRhs();
  if (compare.getPredicate() == Predicate::sgt || compare.getPredicate() == Predicate::sge)
    std::swap(less, more);
  else if (compare.getPredicate() != Predicate::slt && compare.getPredicate() != Predicate::sle)
    return {};
  if (choice.getTrueValue() != less || choice.getFalseValue() != more)
    return {};
  return {less, more};
}

/// Finds n and the end of a loop from b to b + n, or to min(b + n, end).
static bool findChunk(scf::ForOp loop, const DealingFacts &facts, ElementLoop &found) {
  Value upper = loop.getUpperBound(), lower = loop.getLowerBound();
  auto [left, right] = minimumOf(upper);
  SmallVector<std::pair<Value, Value>, 2> forms = {{upper, Value()}};
  if (left)
    forms = {{left, right}, {right, left}};
  for (auto [behind, end] : forms) {
    auto sum = behind.getDefiningOp<arith::AddIOp>();
    if (!sum || !bitEnumContainsAll(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
      continue;
    for (auto [start, number] :
         {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
      if (start == lower && facts.isSame(number) && (!end || facts.isSame(end))) {
        found.chunk = number;
        found.end = end;
        return true;
      }
  }
  return false;
}

std::optional<ElementLoop> regrain::findElementLoop(scf::ForOp loop, DealingFacts &facts) {
  ElementLoop found;
  if (facts.isSame(loop.getLowerBound()) && facts.isSame(loop.getUpperBound())) {
    found.first = facts.sums.exactly(loop.getLowerBound());
    found.count = facts.sums.exactly(loop.getUpperBound()).plus(uint64_t(-1), found.first);
    bool isSame = facts.isSameBefore(loop, found.first) && facts.isSameBefore(loop, found.count);
    return isSame ? std::optional(found) : std::nullopt;
  }
  if (!findChunk(loop, facts, found))
    return std::nullopt;
  auto threads = loop->getParentOfType<grain::ThreadsOp>();
  unsigned x = facts.sums.symbolOf(threads.getBody().getArgument(0));
  found.count = facts.sums.exactly(found.chunk);
  WrappingSum start = facts.sums.of(loop.getLowerBound());
  found.base = start.plus(uint64_t(-1), WrappingSum::ofSymbol(x).times(found.count));
  unsigned bits = loop.getInductionVar().getType().getIntOrFloatBitWidth();
  bool isSame = start.factorOf(x).equals(found.count, bits) &&
                facts.isSameBefore(loop, found.base) && facts.isSameBefore(loop, found.count);
  return isSame ? std::optional(found) : std::nullopt;
}
