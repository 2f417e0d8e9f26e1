//===- LaneOffsets.cpp - Integers in the lanes of a warp ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LaneOffsets.h"

#include "compiler/Analysis/Polynomial.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace regrain;

bool Offsets::areEqual() const { return llvm::all_equal(at); }

static Offsets sameInAll(int64_t value, bool hasUnknown = false) {
  Offsets lanes{.hasUnknown = hasUnknown};
  lanes.at.fill(value);
  return lanes;
}

LaneOffsets::LaneOffsets(grain::ThreadsOp threads, const Uniformity &uniformity)
    : threads(threads), uniformity(uniformity) {
  if (!threads.getKnownIterations(0))
    return;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    sizes[dimension] = threads.getKnownIterations(dimension).value_or(warpThreads);
  lanes = unsigned(std::min<int64_t>(warpThreads, sizes[0] * sizes[1] * sizes[2]));
  for (unsigned dimension = 1; dimension < 3; ++dimension)
    if (!ofCoordinate(dimension).areEqual())
      varying = varying | Dependence(uint8_t(Dependence::ThreadX) << dimension);
}

Offsets LaneOffsets::ofCoordinate(unsigned dimension) const {
  int64_t before = 1;
  for (unsigned d = 0; d < dimension; ++d)
    before *= sizes[d];
  Offsets result;
  for (auto [lane, value] : llvm::enumerate(result.at))
    value = int64_t(lane) / before % sizes[dimension];
  return result;
}

std::optional<Offsets> LaneOffsets::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  std::optional<Offsets> result = compute(value);
  if (!result && !overlap(uniformity.of(value), varying))
    result = sameInAll(0, /*hasUnknown=*/true);
  known[value] = result;
  return result;
}

std::optional<Offsets> LaneOffsets::compute(Value value) {
  Type type = value.getType();
  if (!type.isIndex() && !(type.isInteger() && type.getIntOrFloatBitWidth() <= 64))
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return sameInAll(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  Operation *op = value.getDefiningOp();
  return isa<arith::ArithDialect>(op->getDialect()) && op->getNumResults() == 1 ? ofOperation(op)
                                                                                : std::nullopt;
}

/// A counter is looked at in the first iteration of its loop.
std::optional<Offsets> LaneOffsets::ofArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == threads)
    return ofCoordinate(argument.getArgNumber());
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return ofCarried(loop, argument);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || argument != loop.getInductionVar() ||
      overlap(uniformity.of(loop.getStep()), varying))
    return std::nullopt;
  std::optional<Offsets> first = of(loop.getLowerBound());
  if (first)
    first->hasUnknown = true;
  return first;
}

/// A value that advances by what is the same in all lanes is looked at in the first iteration.
std::optional<Offsets> LaneOffsets::ofCarried(scf::WhileOp loop, BlockArgument argument) {
  if (Value behind = behindCondition(loop, argument); behind != argument)
    return of(behind);
  Value step = argument.getOwner() == loop.getBeforeBody() ? stepOf(loop, argument) : Value();
  if (!step || overlap(uniformity.of(step), varying))
    return std::nullopt;
  std::optional<Offsets> first = of(loop.getInits()[argument.getArgNumber()]);
  if (first)
    first->hasUnknown = true;
  return first;
}

/// Returns the result of `op` for operands that are known; nothing where it is poison. MLIR's own
/// folding is no alternative, because it may change the operation.
static std::optional<APInt> evaluate(Operation *op, ArrayRef<APInt> in) {
  unsigned width = op->getResult(0).getType().isIndex()
                       ? 64
                       : op->getResult(0).getType().getIntOrFloatBitWidth();
  using Result = std::optional<APInt>;
  auto shift = [&](auto by) { return in[1].ult(width) ? Result(by()) : Result(); };
  auto divide = [&](auto by) {
    bool overflows = in[0].isMinSignedValue() && in[1].isAllOnes();
    return in[1].isZero() || overflows ? Result() : Result(by());
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return in[0] + in[1]; })
      .Case([&](arith::SubIOp) { return in[0] - in[1]; })
      .Case([&](arith::MulIOp) { return in[0] * in[1]; })
      .Case([&](arith::AndIOp) { return in[0] & in[1]; })
      .Case([&](arith::OrIOp) { return in[0] | in[1]; })
      .Case([&](arith::XOrIOp) { return in[0] ^ in[1]; })
      .Case([&](arith::ShLIOp) { return shift([&] { return in[0].shl(in[1]); }); })
      .Case([&](arith::ShRUIOp) { return shift([&] { return in[0].lshr(in[1]); }); })
      .Case([&](arith::ShRSIOp) { return shift([&] { return in[0].ashr(in[1]); }); })
      .Case([&](arith::DivUIOp) { return divide([&] { return in[0].udiv(in[1]); }); })
      .Case([&](arith::DivSIOp) { return divide([&] { return in[0].sdiv(in[1]); }); })
      .Case([&](arith::RemUIOp) { return divide([&] { return in[0].urem(in[1]); }); })
      .Case([&](arith::RemSIOp) { return divide([&] { return in[0].srem(in[1]); }); })
      .Case<arith::ExtUIOp>([&](auto) { return in[0].zext(width); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return in[0].sextOrTrunc(width); })
      .Case<arith::TruncIOp>([&](auto) { return in[0].trunc(width); })
      .Case([&](arith::SelectOp) { return in[0].isZero() ? in[2] : in[1]; })
      .Case([&](arith::CmpIOp compare) {
        return APInt(1, arith::applyCmpPredicate(compare.getPredicate(), in[0], in[1]));
      })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<Offsets> evaluateAll(Operation *op, ArrayRef<Offsets> operands) {
  Offsets result;
  for (unsigned lane = 0; lane < warpThreads; ++lane) {
    SmallVector<APInt> numbers;
    for (auto [operand, lanes] : llvm::zip(op->getOperands(), operands)) {
      Type type = operand.getType();
      numbers.push_back(APInt(64, lanes.at[lane], /*isSigned=*/true)
                            .trunc(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()));
    }
    std::optional<APInt> number = evaluate(op, numbers);
    if (!number)
      return std::nullopt;
    result.at[lane] = number->getSExtValue();
  }
  return result;
}

static Offsets combine(const Offsets &left, int64_t times, const Offsets &right) {
  Offsets sum{.hasUnknown = left.hasUnknown || right.hasUnknown};
  for (unsigned lane = 0; lane < warpThreads; ++lane)
    sum.at[lane] = left.at[lane] + times * right.at[lane];
  return sum;
}

/// Returns the result if an operand has an unknown part, which only linear operations keep. LLVM
/// writes sums as `or` where no bit is in both.
static std::optional<Offsets> combineUnknown(Operation *op, ArrayRef<Offsets> operands) {
  if (llvm::all_of(operands, [](const Offsets &lanes) { return lanes.areEqual(); }))
    return sameInAll(0, /*hasUnknown=*/true);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return operands[0];
  if (isa<arith::AddIOp, arith::OrIOp>(op))
    return combine(operands[0], 1, operands[1]);
  if (isa<arith::SubIOp>(op))
    return combine(operands[0], -1, operands[1]);
  const Offsets &factor = operands.back();
  if (!isa<arith::MulIOp, arith::ShLIOp>(op) || factor.hasUnknown || !factor.areEqual())
    return std::nullopt;
  int64_t times = factor.at[0];
  if (isa<arith::ShLIOp>(op)) {
    if (times < 0 || times > 31)
      return std::nullopt;
    times = int64_t(1) << times;
  }
  Offsets product = combine({}, times, operands[0]);
  product.hasUnknown = true;
  return product;
}

std::optional<Offsets> LaneOffsets::ofOperation(Operation *op) {
  std::vector<Offsets> operands;
  for (Value operand : op->getOperands()) {
    std::optional<Offsets> lanes = of(operand);
    if (!lanes)
      return std::nullopt;
    operands.push_back(*lanes);
  }
  bool hasUnknown = llvm::any_of(operands, [](const Offsets &lanes) { return lanes.hasUnknown; });
  return hasUnknown ? combineUnknown(op, operands) : evaluateAll(op, operands);
}
