//===- LaneValues.cpp - Integers of each lane of a warp -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LaneValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// Returns the bits of an integer or an index; 0 for a type whose values have no number here.
static unsigned widthOf(Type type) {
  if (type.isIndex())
    return IndexType::kInternalStorageBitWidth;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

std::optional<int64_t> LaneValues::threadsIn(grain::ThreadsOp threads) {
  int64_t count = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::optional<int32_t> size = threads.getKnownIterations(dimension);
    if (!size)
      return std::nullopt;
    count *= *size;
  }
  return count;
}

LaneValues::LaneValues(grain::ThreadsOp threads, unsigned warp)
    : threads(threads), first(warp * warpThreads),
      count(std::min<unsigned>(warpThreads, threadsIn(threads).value() - first)) {
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    sizes[dimension] = threads.getKnownIterations(dimension).value();
}

std::vector<LaneValues> LaneValues::ofBlock(grain::ThreadsOp threads) {
  std::vector<LaneValues> values;
  for (unsigned warp = 0; warp * warpThreads < threadsIn(threads).value(); ++warp)
    values.emplace_back(threads, warp);
  return values;
}

LaneNumbers LaneValues::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  LaneNumbers numbers = compute(value);
  known[value] = numbers;
  return numbers;
}

std::optional<APInt> LaneValues::commonOf(Value value) {
  LaneNumbers numbers = of(value);
  if (numbers.empty() || !llvm::all_equal(numbers))
    return std::nullopt;
  return numbers.front();
}

LaneNumbers LaneValues::compute(Value value) {
  unsigned width = widthOf(value.getType());
  if (width == 0)
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp() == threads
               ? ofCoordinate(argument.getArgNumber(), width)
               : LaneNumbers();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return LaneNumbers(count, number);
  return ofOperation(value.getDefiningOp(), width);
}

LaneNumbers LaneValues::ofCoordinate(unsigned dimension, unsigned width) const {
  LaneNumbers numbers;
  for (unsigned lane = 0; lane < count; ++lane) {
    unsigned number = first + lane;
    std::array<unsigned, 3> thread = {number % sizes[0], number / sizes[0] % sizes[1],
                                      number / (sizes[0] * sizes[1])};
    numbers.emplace_back(width, thread[dimension]);
  }
  return numbers;
}

/// Returns what `op` folds to for constant operands, or null.
static Attribute fold(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<OpFoldResult, 1> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(results.front()))
    return attribute;
  auto operand = llvm::find(op->getOperands(), cast<Value>(results.front()));
  return operand == op->operand_end() ? Attribute() : operands[operand.getIndex()];
}

LaneNumbers LaneValues::ofOperation(Operation *op, unsigned width) {
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumResults() != 1)
    return {};
  SmallVector<LaneNumbers, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(of(operand));
    if (operands.back().empty())
      return {};
  }
  bool isCommon = llvm::all_of(operands, [](const LaneNumbers &n) { return llvm::all_equal(n); });
  LaneNumbers numbers;
  for (unsigned lane = 0; lane < (isCommon ? 1 : count); ++lane) {
    SmallVector<Attribute, 3> constants;
    for (auto [value, own] : llvm::zip_equal(op->getOperands(), operands))
      constants.push_back(IntegerAttr::get(value.getType(), own[lane]));
    auto result = dyn_cast_or_null<IntegerAttr>(fold(op, constants));
    if (!result || result.getValue().getBitWidth() != width)
      return {};
    numbers.push_back(result.getValue());
  }
  if (isCommon)
    numbers.resize(count, APInt(numbers.front()));
  return numbers;
}

LaneSet LaneValues::lanesWhere(Value condition, bool holds) {
  if (LaneNumbers numbers = of(condition); !numbers.empty()) {
    LaneSet lanes = 0;
    for (auto [lane, number] : llvm::enumerate(numbers))
      lanes |= number.isZero() != holds ? laneBit(lane) : 0;
    return lanes;
  }
  Operation *op = condition.getDefiningOp();
  auto both = [&](Value left, Value right) {
    return lanesWhere(left, holds) & lanesWhere(right, holds);
  };
  if (isa_and_nonnull<arith::AndIOp>(op) && holds)
    return both(op->getOperand(0), op->getOperand(1));
  if (isa_and_nonnull<arith::OrIOp>(op) && !holds)
    return both(op->getOperand(0), op->getOperand(1));
  // select a, b, false is `a and b`; select a, true, b is `a or b`.
  if (auto choice = dyn_cast_or_null<arith::SelectOp>(op)) {
    if (holds && matchPattern(choice.getFalseValue(), m_Zero()))
      return both(choice.getCondition(), choice.getTrueValue());
    if (!holds && matchPattern(choice.getTrueValue(), m_One()))
      return both(choice.getCondition(), choice.getFalseValue());
  }
  return all();
}

LaneSet LaneValues::lanesAt(Operation *op) {
  LaneSet lanes = all();
  for (Region *region = op->getParentRegion(); region->getParentOp() != threads;
       region = region->getParentRegion())
    if (auto branch = dyn_cast<scf::IfOp>(region->getParentOp()))
      lanes &= lanesWhere(branch.getCondition(), region == &branch.getThenRegion());
  return lanes;
}

std::optional<SmallVector<int64_t>> LaneValues::offsetsOf(const AddressSum &sum) {
  SmallVector<int64_t> offsets(count, sum.constant);
  for (const AddressSum::Term &term : sum.terms) {
    LaneNumbers numbers = of(term.index);
    if (numbers.empty())
      return std::nullopt;
    for (auto [offset, number] : llvm::zip_equal(offsets, numbers))
      offset = int64_t(uint64_t(offset) + uint64_t(number.getSExtValue()) * uint64_t(term.bytes));
  }
  return offsets;
}
