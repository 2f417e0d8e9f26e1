//===- ThreadStride.cpp - From one thread's address to the next -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/ThreadStride.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace regrain;

static bool isQuotient(Operation *op) { return isa<arith::DivSIOp, arith::DivUIOp>(op); }

std::optional<int64_t> ThreadStride::of(Value value) const {
  if (value == thread)
    return 1;
  if (!overlap(uniformity.of(value), dependence))
    return 0;
  Operation *op = value.getDefiningOp();
  if (!op)
    return ofCounter(cast<BlockArgument>(value));
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return ofAddress(gep);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return of(op->getOperand(0));
  return op->getNumOperands() == 2 ? ofArithmetic(op) : std::nullopt;
}

std::optional<int64_t> ThreadStride::ofArithmetic(Operation *op) const {
  std::optional<int64_t> left = of(op->getOperand(0)), right = of(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && *right == 0)
    return *left;
  if (isQuotient(op) && *right == 0)
    return 0;
  if (*left == 0 && *right == 0)
    return 0;
  if (isa<arith::AddIOp>(op))
    return *left + *right;
  if (isa<arith::SubIOp>(op))
    return *left - *right;
  std::optional<int64_t> factor = getConstantIntValue(op->getOperand(1));
  if (!factor)
    return std::nullopt;
  if (isa<arith::MulIOp>(op))
    return *left * *factor;
  if (isa<arith::ShLIOp>(op) && *factor >= 0 && *factor < 32)
    return *left << *factor;
  return std::nullopt;
}

bool ThreadStride::dividesNeighbours(Operation *op) const {
  return (isQuotient(op) || isa<arith::RemSIOp, arith::RemUIOp>(op)) &&
         of(op->getOperand(0)) == 1 && of(op->getOperand(1)) == 0;
}

/// The threads' counters stay as far apart as they begin if all advance alike.
std::optional<int64_t> ThreadStride::ofCounter(BlockArgument counter) const {
  if (auto loop = dyn_cast<scf::WhileOp>(counter.getOwner()->getParentOp()))
    return ofCarried(loop, counter);
  auto loop = dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp());
  if (!loop || counter != loop.getInductionVar() ||
      overlap(uniformity.of(loop.getStep()), dependence))
    return std::nullopt;
  return of(loop.getLowerBound());
}

std::optional<int64_t> ThreadStride::ofCarried(scf::WhileOp loop, BlockArgument carried) const {
  unsigned number = carried.getArgNumber();
  if (carried.getOwner() == loop.getAfterBody()) {
    auto passed = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[number]);
    return passed && passed.getOwner() == loop.getBeforeBody() ? of(passed) : std::nullopt;
  }
  auto next = loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  auto last = next ? dyn_cast<BlockArgument>(next.getLhs()) : BlockArgument();
  bool advances = last && last.getOwner() == loop.getAfterBody() &&
                  loop.getConditionOp().getArgs()[last.getArgNumber()] == carried &&
                  !overlap(uniformity.of(next.getRhs()), dependence);
  return advances ? of(loop.getInits()[number]) : std::nullopt;
}

std::optional<int64_t> ThreadStride::ofAddress(LLVM::GEPOp gep) const {
  std::optional<int64_t> base = of(gep.getBase());
  if (gep.getDynamicIndices().size() != 1 || gep.getIndices().size() != 1)
    return gep.getDynamicIndices().empty() ? base : std::nullopt;
  std::optional<int64_t> index = of(gep.getDynamicIndices().front());
  if (!base || !index)
    return std::nullopt;
  uint64_t size = DataLayout::closest(gep).getTypeSize(gep.getElemType()).getFixedValue();
  return *base + *index * int64_t(size);
}
