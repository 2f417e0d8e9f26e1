//===- RunningSums.cpp - Sums under a running maximum ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/RunningSums.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Transforms/SplitThreads/Combiners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

namespace {

/// s * factor + term
struct Scaled {
  Value factor, term;
};

} // namespace

static std::optional<Scaled> scaledSum(Operation *op, Value sum) {
  if (isa<LLVM::FMulAddOp, LLVM::FMAOp>(op)) {
    if (op->getOperand(0) == sum)
      return Scaled{op->getOperand(1), op->getOperand(2)};
    if (op->getOperand(1) == sum)
      return Scaled{op->getOperand(0), op->getOperand(2)};
    return std::nullopt;
  }
  if (!isa<LLVM::FAddOp>(op))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    auto product = op->getOperand(side).getDefiningOp<LLVM::FMulOp>();
    Value term = op->getOperand(1 - side);
    if (!product || !product->hasOneUse())
      continue;
    if (product.getLhs() == sum)
      return Scaled{product.getRhs(), term};
    if (product.getRhs() == sum)
      return Scaled{product.getLhs(), term};
  }
  return std::nullopt;
}

/// Returns the difference of which `value`, in the body of `loop`, is the exponential; null if it
/// is none, or if one of both has another use.
static LLVM::FSubOp exponentOf(Value value, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || !isExponential(op) || !value.hasOneUse())
    return {};
  auto difference = op->getOperand(0).getDefiningOp<LLVM::FSubOp>();
  bool isOwn = difference && difference->getBlock() == loop.getBody() && difference->hasOneUse();
  return isOwn ? difference : LLVM::FSubOp();
}

/// Returns the number of the carried value that `value` is; nothing if it is none.
static std::optional<unsigned> carriedNumber(scf::ForOp loop, Value value) {
  auto found = llvm::find(loop.getRegionIterArgs(), value);
  if (found == loop.getRegionIterArgs().end())
    return std::nullopt;
  return unsigned(found - loop.getRegionIterArgs().begin());
}

/// Returns whether both are the same in an iteration: one value, or loads of the same element in a
/// loop that writes nothing.
static bool isSameElement(Value one, Value other, scf::ForOp loop) {
  if (one == other)
    return true;
  auto load = one.getDefiningOp<LLVM::LoadOp>(), again = other.getDefiningOp<LLVM::LoadOp>();
  bool areAlike = load && again && load.getAddr() == again.getAddr() &&
                  one.getType() == other.getType() && load->getBlock() == again->getBlock();
  return areAlike && !loop.getBody()
                          ->walk([](Operation *op) {
                            bool writes = op->getNumRegions() == 0 && hasEffect(op) &&
                                          !isa<LLVM::LoadOp, grain::LoopHintOp>(op);
                            return writes ? WalkResult::interrupt() : WalkResult::advance();
                          })
                          .wasInterrupted();
}

static bool hasUses(Value value, unsigned count) {
  return llvm::hasNItems(value.use_begin(), value.use_end(), count);
}

static std::optional<RunningSum> findRunningSum(scf::ForOp loop, unsigned number) {
  Value sum = loop.getRegionIterArg(number);
  Value next = loop.getBody()->getTerminator()->getOperand(number);
  Operation *last = next.getDefiningOp();
  if (!last || last->getBlock() != loop.getBody() || !sum.hasOneUse() || !next.hasOneUse())
    return std::nullopt;
  std::optional<Scaled> scaled = scaledSum(last, sum);
  if (!scaled)
    return std::nullopt;
  LLVM::FSubOp ofFactor = exponentOf(scaled->factor, loop), ofTerm = exponentOf(scaled->term, loop);
  if (!ofFactor || !ofTerm ||
      !combineAlike(scaled->factor.getDefiningOp(), scaled->term.getDefiningOp()))
    return std::nullopt;
  std::optional<unsigned> largest = carriedNumber(loop, ofFactor.getLhs());
  if (!largest || *largest == number)
    return std::nullopt;
  Value before = ofFactor.getLhs(), larger = ofFactor.getRhs(), element = ofTerm.getLhs();
  Operation *maximum = larger.getDefiningOp();
  bool isMaximum = maximum && maximum->getBlock() == loop.getBody() && isFloatMaximum(maximum) &&
                   larger == loop.getBody()->getTerminator()->getOperand(*largest) &&
                   ofTerm.getRhs() == larger &&
                   llvm::is_contained(maximum->getOperands(), before) &&
                   llvm::any_of(maximum->getOperands(), [&](Value operand) {
                     return operand != before && isSameElement(operand, element, loop);
                   });
  // The comparison and the exponents, and what is carried on.
  if (!isMaximum || !hasUses(before, 2) || !hasUses(larger, 3))
    return std::nullopt;
  FloatAttr start;
  if (!matchPattern(loop.getInitArgs()[*largest], m_Constant(&start)) || start.getValue().isNaN())
    return std::nullopt;
  bool isInfinite = start.getValue().isInfinity() && start.getValue().isNegative();
  return RunningSum{number,  *largest,           scaled->factor.getDefiningOp(),
                    maximum, {ofFactor, ofTerm}, isInfinite};
}

void regrain::findRunningSums(scf::ForOp loop, CarriedValues &found) {
  for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number) {
    std::optional<RunningSum> running = findRunningSum(loop, number);
    if (!running)
      continue;
    found.values[number] = {.kind = CarriedValue::Running};
    found.values[running->largest] = {.kind = CarriedValue::Combined, .links = {running->larger}};
    found.running.push_back(*running);
  }
}

void regrain::keepFinite(const DealtLoop &dealt, const LaneGroup &group) {
  OpBuilder outside(scf::ForOp(dealt.loop).getOperation());
  for (const RunningSum &running : dealt.carried.running) {
    if (!running.mayBeginInfinite)
      continue;
    Operation *larger = running.larger;
    Location location = larger->getLoc();
    auto type = cast<FloatType>(larger->getResult(0).getType());
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    auto create = [&](const APFloat &number) -> Value {
      return outside.create<LLVM::ConstantOp>(location, type, outside.getFloatAttr(type, number));
    };
    Value infinite = create(APFloat::getInf(semantics, /*Negative=*/true));
    Value finite = create(APFloat::getLargest(semantics, /*Negative=*/true));
    Value least = outside.create<arith::SelectOp>(location, group.isFirst(), infinite, finite);
    OpBuilder inside(larger->getContext());
    inside.setInsertionPointAfter(larger);
    auto [ofFactor, ofTerm] = running.distances;
    Value before = createCombined(inside, larger, ofFactor->getOperand(0), least);
    Value after = createCombined(inside, larger, larger->getResult(0), least);
    ofFactor->setOperands({before, after});
    ofTerm->setOperand(1, after);
  }
}

/// Creates the factor of a sum whose largest number was `largest`, now that it is `larger`.
static Value createFactor(OpBuilder &builder, const RunningSum &running, Value largest,
                          Value larger) {
  Location location = larger.getLoc();
  Type type = larger.getType();
  Value distance = builder.create<LLVM::FSubOp>(location, largest, larger);
  Operation *exponential = builder.clone(*running.exponential);
  exponential->setOperands({distance});
  Value one = builder.create<LLVM::ConstantOp>(location, type, builder.getFloatAttr(type, 1.0));
  Value isSame =
      builder.create<LLVM::FCmpOp>(location, builder.getI1Type(), LLVM::FCmpPredicate::oeq, largest,
                                   larger, LLVM::FastmathFlags::none);
  return builder.create<arith::SelectOp>(location, isSame, one, exponential->getResult(0));
}

RunningPart regrain::createTogether(OpBuilder &builder, const RunningSum &running,
                                    const RunningPart &one, const RunningPart &other) {
  Location location = one.sum.getLoc();
  Value largest = createCombined(builder, running.larger, one.largest, other.largest);
  auto scale = [&](const RunningPart &part) -> Value {
    Value factor = createFactor(builder, running, part.largest, largest);
    return builder.create<LLVM::FMulOp>(location, part.sum, factor);
  };
  Value left = scale(one), right = scale(other);
  return {builder.create<LLVM::FAddOp>(location, left, right), largest};
}
