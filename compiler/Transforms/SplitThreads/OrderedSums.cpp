//===- OrderedSums.cpp - Sums that keep their order -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/OrderedSums.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace regrain;

static bool isFused(Operation *link) { return isa<LLVM::FMulAddOp, LLVM::FMAOp>(link); }

/// Returns the operands of a sum that are added to `before`, the sum so far.
static SmallVector<OpOperand *> addedOperands(Operation *link, Value before) {
  SmallVector<OpOperand *> added;
  for (OpOperand &operand : link->getOpOperands())
    if (operand.get() != before || (isFused(link) && operand.getOperandNumber() != 2))
      added.push_back(&operand);
  return added;
}

/// Returns what changes no sum in place of the operand.
static double neutralFor(OpOperand &operand) {
  if (isFused(operand.getOwner()) && operand.getOperandNumber() == 1)
    return 1;
  return isa<LLVM::FSubOp>(operand.getOwner()) ? 0.0 : -0.0;
}

OrderedSums::OrderedSums(const DealtLoop &dealt, const LaneGroup &group)
    : carriedValues(dealt.carried), loop(dealt.loop), group(group) {
  for (auto [number, carried] : llvm::enumerate(carriedValues.values)) {
    if (carried.kind != CarriedValue::Ordered)
      continue;
    firstTerms[number] = terms.size();
    Value before = loop.getRegionIterArg(number);
    for (Operation *link : carried.links) {
      for (OpOperand *operand : addedOperands(link, before)) {
        Operation *widening = operand->get().getDefiningOp<LLVM::FPExtOp>();
        if (widening && !loop->isAncestor(widening))
          widening = nullptr;
        Value exchanged = widening ? widening->getOperand(0) : operand->get();
        terms.push_back({exchanged, widening, neutralFor(*operand)});
      }
      before = link->getResult(0);
    }
  }
}

/// Adds the terms that a lane has in an iteration to one sum. `moved` are terms that this lane has
/// exchanged already.
Value OrderedSums::addIteration(OpBuilder &builder, unsigned number, ArrayRef<Value> exchanged,
                                uint32_t lane, Moved &moved, Value sum) {
  Location location = loop.getLoc();
  size_t next = firstTerms.lookup(number);
  Value before = loop.getRegionIterArg(number);
  for (Operation *link : carriedValues.values[number].links) {
    Operation *added = builder.clone(*link);
    SmallVector<OpOperand *> operands = addedOperands(added, before);
    for (OpOperand &operand : added->getOpOperands()) {
      if (!llvm::is_contained(operands, &operand)) {
        operand.set(sum);
        continue;
      }
      const Term &term = terms[next];
      Value &other = moved[exchanged[next]];
      if (!other)
        other = group.createFrom(builder, location, exchanged[next], lane);
      ++next;
      Value whole = other;
      if (term.widening)
        whole = builder.create<LLVM::FPExtOp>(location, operand.get().getType(), other);
      operand.set(whole);
    }
    // The terms have been created behind it.
    added->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    sum = added->getResult(0);
    before = link->getResult(0);
  }
  return sum;
}

void OrderedSums::add(OpBuilder &builder, ArrayRef<SmallVector<Value>> exchanged, unsigned together,
                      MutableArrayRef<Value> carried) {
  for (size_t first = 0; first < exchanged.size(); first += together)
    for (uint32_t lane = 0; lane < group.getLanes(); ++lane)
      for (ArrayRef<Value> own : exchanged.slice(first, together)) {
        Moved moved;
        for (unsigned number = 0; number < carriedValues.values.size(); ++number)
          if (firstTerms.contains(number))
            carried[number] = addIteration(builder, number, own, lane, moved, carried[number]);
      }
}
