//===- Conditions.cpp - Conditions for any thread -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/Conditions.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/ZeroBits.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// A value that takes more operations is not computed for other threads.
static constexpr unsigned mostOperations = 48;

//===----------------------------------------------------------------------===//
// Values of other threads
//===----------------------------------------------------------------------===//

std::optional<unsigned> Recomputation::costOf(Value value) {
  if (!threads.getBody().isAncestor(value.getParentRegion()))
    return 0;
  auto [found, isNew] = costs.try_emplace(value);
  if (!isNew)
    return found->second;
  std::optional<unsigned> cost;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner()->getParentOp() == threads || value == counter)
      cost = 0;
  } else if (Operation *op = value.getDefiningOp();
             value.getType().isIntOrIndex() && op->getNumRegions() == 0 && isPure(op)) {
    cost = 1;
    for (Value operand : op->getOperands()) {
      std::optional<unsigned> own = costOf(operand);
      cost = cost && own ? std::optional(std::min(*cost + *own, mostOperations)) : std::nullopt;
    }
  }
  costs[value] = cost;
  return cost;
}

bool Recomputation::isPossible(Value value) {
  std::optional<unsigned> cost = costOf(value);
  return cost && *cost < mostOperations;
}

Value Recomputation::create(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOfType<grain::ThreadsOp>() == nullptr)
    return value;
  for (Value operand : op->getOperands())
    create(builder, operand, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

bool regrain::mayEndThread(Operation *op) {
  if (isa<LLVM::Trap, LLVM::UnreachableOp>(op))
    return true;
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call)
    return false;
  CalleeKind kind = kindOf(call);
  return kind == CalleeKind::Unknown || kind == CalleeKind::Function ||
         kind == CalleeKind::PlainFunction || kind == CalleeKind::Service ||
         kind == CalleeKind::Assembly;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

std::optional<LoadGuard> regrain::guardOf(Operation *op, grain::ThreadsOp threads) {
  LoadGuard guard;
  for (Region *region = op->getParentRegion(); region != &threads.getBody();
       region = region->getParentRegion()) {
    auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
    if (!branch)
      return std::nullopt;
    guard.push_back({branch.getCondition(), region == &branch.getThenRegion()});
  }
  std::reverse(guard.begin(), guard.end());
  return guard;
}

static Value createConstant(OpBuilder &builder, Location location, bool value) {
  return builder.create<arith::ConstantIntOp>(location, value, 1);
}

static Value createCondition(OpBuilder &builder, Location location, const GuardCondition &condition,
                             IRMapping &mapping) {
  Value value = Recomputation::create(builder, condition.value, mapping);
  if (condition.holds)
    return value;
  return builder.create<arith::XOrIOp>(location, value, createConstant(builder, location, true));
}

Value regrain::createGuard(OpBuilder &builder, Location location, const LoadGuard &guard,
                           IRMapping &mapping) {
  Value all;
  for (const GuardCondition &condition : guard) {
    Value own = createCondition(builder, location, condition, mapping);
    // A selection, because the inner condition may be poison where the outer one does not hold.
    all = all ? builder.create<arith::SelectOp>(location, all, own,
                                                createConstant(builder, location, false))
              : own;
  }
  return all ? all : createConstant(builder, location, true);
}

//===----------------------------------------------------------------------===//
// Whole blocks
//===----------------------------------------------------------------------===//

bool regrain::isCommon(Value value, const Uniformity &uniformity) {
  return !overlap(uniformity.of(value), Dependence::Threads | Dependence::ThreadMemory);
}

namespace {

bool isConstant(Value value, bool expected) {
  return matchPattern(value, expected ? m_One() : m_Zero());
}

/// Returns the two conditions of which `condition` is the conjunction, if it is one.
std::optional<std::pair<GuardCondition, GuardCondition>> partsOf(const GuardCondition &condition) {
  Operation *op = condition.value.getDefiningOp();
  bool holds = condition.holds;
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op); both && holds)
    return {{{both.getLhs(), true}, {both.getRhs(), true}}};
  if (auto either = dyn_cast_or_null<arith::OrIOp>(op); either && !holds)
    return {{{either.getLhs(), false}, {either.getRhs(), false}}};
  auto choice = dyn_cast_or_null<arith::SelectOp>(op);
  // select a, b, false is `a and b`; select a, true, b is `a or b`.
  if (choice && holds && isConstant(choice.getFalseValue(), false))
    return {{{choice.getCondition(), true}, {choice.getTrueValue(), true}}};
  if (choice && !holds && isConstant(choice.getTrueValue(), true))
    return {{{choice.getCondition(), false}, {choice.getFalseValue(), false}}};
  return std::nullopt;
}

/// Returns how much an unsigned number exceeds one that all threads have in common; nothing if that
/// is not known, or the sum of the two may wrap.
std::optional<Affine> excessOf(Value value, AffineForms &forms, const Uniformity &uniformity) {
  if (isCommon(value, uniformity))
    return Affine();
  Affine whole = forms.of(value);
  if (forms.isAtLeast(whole, 0))
    return whole;
  auto sum = value.getDefiningOp<arith::AddIOp>();
  std::optional<unsigned> multiple = sum ? multipleIn(sum, forms) : std::nullopt;
  if (!multiple || !isCommon(sum->getOperand(*multiple), uniformity))
    return std::nullopt;
  return forms.of(sum->getOperand(1 - *multiple));
}

/// Returns the thread for which a comparison holds last, or nothing if it is not linear.
std::optional<std::array<bool, 3>> lastToHold(arith::CmpIOp compare, bool holds,
                                              grain::ThreadsOp threads, AffineForms &forms,
                                              const Uniformity &uniformity) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate =
      holds ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
  if (predicate == Predicate::eq || predicate == Predicate::ne)
    return std::nullopt;
  std::optional<Affine> left = forms.of(compare.getLhs()), right = forms.of(compare.getRhs());
  if (comparesUnsigned(predicate)) {
    left = excessOf(compare.getLhs(), forms, uniformity);
    right = excessOf(compare.getRhs(), forms, uniformity);
  }
  if (!left || !right)
    return std::nullopt;
  std::optional<Affine> difference = addTimes(*left, -1, *right);
  if (!difference)
    return std::nullopt;
  bool isUpper = predicate == Predicate::slt || predicate == Predicate::sle ||
                 predicate == Predicate::ult || predicate == Predicate::ule;
  std::array<bool, 3> last = {};
  for (const Affine::Summand &summand : difference->summands) {
    Value value = summand.variable.value;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner()->getParentOp() == threads)
      last[argument.getArgNumber()] = (summand.factor > 0) == isUpper;
    else if (!isCommon(value, uniformity))
      return std::nullopt;
  }
  return last;
}

} // namespace

void regrain::addConjuncts(const GuardCondition &condition,
                           SmallVectorImpl<GuardCondition> &conjuncts) {
  if (auto parts = partsOf(condition)) {
    addConjuncts(parts->first, conjuncts);
    addConjuncts(parts->second, conjuncts);
    return;
  }
  auto negation = condition.value.getDefiningOp<arith::XOrIOp>();
  if (negation && isConstant(negation.getRhs(), true))
    addConjuncts({negation.getLhs(), !condition.holds}, conjuncts);
  else
    conjuncts.push_back(condition);
}

bool regrain::addExtremes(const GuardCondition &condition, grain::ThreadsOp threads,
                          AffineForms &forms, const Uniformity &uniformity,
                          SmallVectorImpl<Extreme> &extremes) {
  auto add = [&](const std::array<bool, 3> &last) {
    if (llvm::none_of(extremes,
                      [&](const Extreme &other) { return other.comparison == condition; }))
      extremes.push_back({condition, last});
    return true;
  };
  if (isCommon(condition.value, uniformity))
    return add({});
  if (auto parts = partsOf(condition))
    return addExtremes(parts->first, threads, forms, uniformity, extremes) &&
           addExtremes(parts->second, threads, forms, uniformity, extremes);
  if (auto negation = condition.value.getDefiningOp<arith::XOrIOp>();
      negation && isConstant(negation.getRhs(), true))
    return addExtremes({negation.getLhs(), !condition.holds}, threads, forms, uniformity, extremes);
  auto compare = condition.value.getDefiningOp<arith::CmpIOp>();
  std::optional<std::array<bool, 3>> last =
      compare ? lastToHold(compare, condition.holds, threads, forms, uniformity) : std::nullopt;
  return last && add(*last);
}

Value regrain::createWholeBlock(OpBuilder &builder, grain::ThreadsOp threads,
                                ArrayRef<Extreme> extremes, ArrayRef<int64_t> block,
                                const IRMapping &known) {
  Location location = threads.getLoc();
  Value all;
  for (const Extreme &extreme : extremes) {
    IRMapping mapping(known);
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      mapping.map(threads.getBody().getArgument(dimension),
                  builder.create<arith::ConstantIntOp>(
                      location, extreme.last[dimension] ? block[dimension] - 1 : 0, 32));
    Value own = createGuard(builder, location, {extreme.comparison}, mapping);
    all = all ? builder.create<arith::SelectOp>(location, all, own,
                                                createConstant(builder, location, false))
              : own;
  }
  return all ? all : createConstant(builder, location, true);
}
