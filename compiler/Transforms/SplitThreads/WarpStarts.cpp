//===- WarpStarts.cpp - Numbers that a warp has in common -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/WarpStarts.h"

#include "compiler/Analysis/Signs.h"
#include "compiler/Transforms/Regroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "runtime/image/launch_limits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

/// The operations that are followed, one behind the other.
static constexpr unsigned deepest = 16;

static constexpr unsigned laneBits = llvm::CTLog2<warpThreads>();

static std::optional<APInt> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number;
  return std::nullopt;
}

static bool isExtension(Operation *op) {
  return isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op) &&
         op->getResult(0).getType().getIntOrFloatBitWidth() > laneBits;
}

/// Returns whether the last five bits are zeros.
static bool isMultiple(Value value, unsigned depth = 0) {
  if (std::optional<APInt> number = constantOf(value))
    return number->countr_zero() >= laneBits;
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepest)
    return false;
  auto of = [&](unsigned operand) { return isMultiple(op->getOperand(operand), depth + 1); };
  if (auto size = dyn_cast<grain::BlockSizeOp>(op))
    return size.getDimension() == grain::Dimension::X;
  if (isa<arith::MulIOp, arith::AndIOp>(op))
    return of(0) || of(1);
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp>(op))
    return of(0) && of(1);
  if (isa<arith::ShLIOp>(op)) {
    std::optional<APInt> distance = constantOf(op->getOperand(1));
    return of(0) || (distance && distance->uge(laneBits));
  }
  return isExtension(op) && of(0);
}

/// Returns which operand has the bits of the lane, if the result has them as well.
static std::optional<unsigned> laneOperand(Operation *op) {
  if (isExtension(op))
    return 0;
  if (isa<arith::AddIOp, arith::OrIOp>(op)) {
    for (unsigned side : {0, 1})
      if (isMultiple(op->getOperand(1 - side)))
        return side;
    return std::nullopt;
  }
  if (isa<arith::SubIOp, arith::RemUIOp>(op) && isMultiple(op->getOperand(1)))
    return 0;
  std::optional<APInt> mask = isa<arith::AndIOp>(op) ? constantOf(op->getOperand(1)) : std::nullopt;
  if (mask && mask->countr_one() >= laneBits)
    return 0;
  return std::nullopt;
}

namespace {

class WarpStarts {
public:
  explicit WarpStarts(grain::BlocksOp blocks) : blocks(blocks), threads(blocks.threads()) {
    OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
    start = constant(builder, threads.getLoc(), 0);
  }

  Value run();

private:
  bool endsInLane(Value value, unsigned depth = 0);
  bool isIndex(Value value);
  bool cutsLane(Operation *op);
  Value createStart(Value value);

  grain::BlocksOp blocks;
  grain::ThreadsOp threads;
  Value start;
};

} // namespace

/// Returns whether the last five bits are those of the lane.
bool WarpStarts::endsInLane(Value value, unsigned depth) {
  if (value == threads.getBody().getArgument(0))
    return true;
  Operation *op = value.getDefiningOp();
  std::optional<unsigned> operand = op && depth < deepest ? laneOperand(op) : std::nullopt;
  return operand && endsInLane(op->getOperand(*operand), depth + 1);
}

/// Returns whether the value is the number of the thread in the launch.
bool WarpStarts::isIndex(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto sum = dyn_cast<arith::AddIOp>(op); sum && isLaunchIndex(sum, blocks, 0))
      return true;
    if (!isa<arith::ExtUIOp, arith::ExtSIOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// Returns whether the result does not depend on the last five bits of the first operand.
bool WarpStarts::cutsLane(Operation *op) {
  if (isa<arith::DivUIOp, arith::DivSIOp>(op)) {
    bool isUnsigned = isa<arith::DivUIOp>(op);
    Value number = op->getOperand(0);
    return isMultiple(op->getOperand(1)) &&
           (isUnsigned || isIndex(number) || isNonNegative(number, op));
  }
  if (!isa<arith::ShRUIOp, arith::ShRSIOp, arith::AndIOp>(op))
    return false;
  std::optional<APInt> number = constantOf(op->getOperand(1));
  return number &&
         (isa<arith::AndIOp>(op) ? number->countr_zero() >= laneBits : number->uge(laneBits));
}

/// Creates the number without the lane, behind the number.
Value WarpStarts::createStart(Value value) {
  if (value == threads.getBody().getArgument(0))
    return start;
  Operation *op = value.getDefiningOp();
  unsigned operand = laneOperand(op).value();
  Value before = createStart(op->getOperand(operand));
  OpBuilder builder(op);
  Operation *copy = builder.clone(*op);
  copy->setOperand(operand, before);
  return copy->getResult(0);
}

Value WarpStarts::run() {
  SmallVector<Operation *> found;
  threads.walk([&](Operation *op) {
    if (cutsLane(op) && endsInLane(op->getOperand(0)))
      found.push_back(op);
  });
  for (Operation *op : found)
    op->setOperand(0, createStart(op->getOperand(0)));
  return start;
}

Value regrain::createWarpStarts(grain::BlocksOp blocks) { return WarpStarts(blocks).run(); }
