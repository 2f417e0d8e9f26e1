//===- CombineParts.cpp - What lanes make of their parts ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/CombineParts.h"

#include "compiler/Transforms/SplitThreads/Combiners.h"
#include "compiler/Transforms/SplitThreads/RunningSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

namespace {

class Combination {
public:
  Combination(OpBuilder &builder, const DealtLoop &dealt, const LaneGroup &group,
              MutableArrayRef<Value> parts)
      : builder(builder), location(scf::ForOp(dealt.loop).getLoc()), carried(dealt.carried),
        group(group), parts(parts) {}

  void run(bool isRepeated);

private:
  void combineAmong(uint32_t count);
  void combine(unsigned number, uint32_t count);
  void combineChoice(unsigned index, uint32_t count);
  void combineRunning(const RunningSum &running, uint32_t count);
  bool isOfRunning(unsigned number) const;
  Value createIsBetter(const Choice &choice, Value other, Value own, bool equal);

  OpBuilder &builder;
  Location location;
  const CarriedValues &carried;
  const LaneGroup &group;
  MutableArrayRef<Value> parts;
};

} // namespace

/// Creates whether one value is better than another, or equal to it.
Value Combination::createIsBetter(const Choice &choice, Value other, Value own, bool equal) {
  Type i1 = builder.getI1Type();
  if (isa<LLVM::FCmpOp>(choice.comparison)) {
    auto predicate = equal              ? LLVM::FCmpPredicate::oeq
                     : choice.isGreater ? LLVM::FCmpPredicate::ogt
                                        : LLVM::FCmpPredicate::olt;
    return builder.create<LLVM::FCmpOp>(location, i1, predicate, other, own,
                                        LLVM::FastmathFlags::none);
  }
  bool isUnsigned = comparesUnsigned(cast<arith::CmpIOp>(choice.comparison).getPredicate());
  auto greater = isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  auto predicate = equal ? arith::CmpIPredicate::eq : choice.isGreater ? greater : less;
  return builder.create<arith::CmpIOp>(location, predicate, other, own);
}

/// Lets neighbours in a warp, `count` of them, have the best of their choices: of equals, that of
/// the first iteration, or of the last one.
void Combination::combineChoice(unsigned index, uint32_t count) {
  const Choice &choice = carried.choices[index];
  SmallVector<unsigned> members;
  for (auto [number, value] : llvm::enumerate(carried.values))
    if (value.kind == CarriedValue::Chosen && value.choice == index)
      members.push_back(number);
  Value &position = parts[carried.values.size() + index];
  for (uint32_t distance = 1; distance < count; distance *= 2) {
    Value otherPosition = group.createAcross(builder, location, position, distance);
    SmallVector<Value> others;
    Value other;
    for (unsigned number : members) {
      others.push_back(group.createAcross(builder, location, parts[number], distance));
      if (number == choice.leader)
        other = others.back();
    }
    Value best = parts[choice.leader];
    Value better = createIsBetter(choice, other, best, /*equal=*/false);
    Value equal = createIsBetter(choice, other, best, /*equal=*/true);
    auto predicate = choice.takesEqual ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt;
    Value nearer = builder.create<arith::CmpIOp>(location, predicate, otherPosition, position);
    Value both = builder.create<arith::AndIOp>(location, equal, nearer);
    Value takes = builder.create<arith::OrIOp>(location, better, both);
    position = builder.create<arith::SelectOp>(location, takes, otherPosition, position);
    for (auto [number, value] : llvm::zip_equal(members, others))
      parts[number] = builder.create<arith::SelectOp>(location, takes, value, parts[number]);
  }
}

/// Lets neighbours in a warp, `count` of them, have what they make of their parts of a value.
void Combination::combine(unsigned number, uint32_t count) {
  const CarriedValue &value = carried.values[number];
  Value &result = parts[number];
  if ((value.kind != CarriedValue::Combined && value.kind != CarriedValue::Summed) ||
      isOfRunning(number))
    return;
  for (uint32_t distance = 1; distance < count; distance *= 2) {
    Value other = group.createAcross(builder, location, result, distance);
    result = value.kind == CarriedValue::Combined
                 ? createCombined(builder, value.links.front(), result, other)
                 : builder.create<LLVM::FAddOp>(location, result, other).getResult();
  }
}

bool Combination::isOfRunning(unsigned number) const {
  return llvm::any_of(carried.running, [&](const RunningSum &running) {
    return running.sum == number || running.largest == number;
  });
}

/// Lets neighbours in a warp, `count` of them, have what they make of their parts of a running sum.
void Combination::combineRunning(const RunningSum &running, uint32_t count) {
  Value &sum = parts[running.sum], &largest = parts[running.largest];
  for (uint32_t distance = 1; distance < count; distance *= 2) {
    Value otherSum = group.createAcross(builder, location, sum, distance);
    Value otherLargest = group.createAcross(builder, location, largest, distance);
    RunningPart both = createTogether(builder, running, {sum, largest}, {otherSum, otherLargest});
    sum = both.sum;
    largest = both.largest;
  }
}

void Combination::combineAmong(uint32_t count) {
  for (unsigned number = 0; number < carried.values.size(); ++number)
    combine(number, count);
  for (unsigned index = 0; index < carried.choices.size(); ++index)
    combineChoice(index, count);
  for (const RunningSum &running : carried.running)
    combineRunning(running, count);
}

/// Returns whether lanes may make different numbers of the same parts: of two that are none, or of
/// zeros, each lane may have its own.
static bool mayDiffer(const CarriedValue &value, Type type) {
  return isa<FloatType>(type) && value.kind != CarriedValue::Chosen &&
         value.kind != CarriedValue::Ordered;
}

void Combination::run(bool isRepeated) {
  if (parts.empty())
    return;
  if (group.areApart()) {
    llvm::copy(group.createGathered(builder, location, parts), parts.begin());
    combineAmong(group.getLanes());
    llvm::copy(group.createSpread(builder, location, parts), parts.begin());
    return;
  }
  combineAmong(group.getLanesInWarp());
  if (group.getWarps() != 1) {
    llvm::copy(group.createOfWarps(builder, location, parts, isRepeated), parts.begin());
    combineAmong(group.getWarps());
  }
  for (auto [number, value] : llvm::enumerate(carried.values))
    if (mayDiffer(value, parts[number].getType()))
      parts[number] = group.createFrom(builder, location, parts[number], 0);
}

void regrain::combineParts(OpBuilder &builder, const DealtLoop &dealt, const LaneGroup &group,
                           MutableArrayRef<Value> parts) {
  Operation *loop = dealt.loop;
  bool isRepeated = loop->getParentOfType<scf::ForOp>() || loop->getParentOfType<scf::WhileOp>();
  Combination(builder, dealt, group, parts).run(isRepeated);
}
