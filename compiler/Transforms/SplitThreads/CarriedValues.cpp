//===- CarriedValues.cpp - What dealt loops carry -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/CarriedValues.h"

#include "compiler/Transforms/SplitThreads/Combiners.h"
#include "compiler/Transforms/SplitThreads/RunningSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Finds the operations through which an integer passes in an iteration: one kind of combination,
/// selects and conditions.
class IntegerChain {
public:
  explicit IntegerChain(Value carried) : carried(carried) {}

  /// Returns whether `yielded` is the carried value, combined with others. No value on the way has
  /// another use.
  bool find(OpOperand &yielded) {
    if (!follow(yielded) || combiners.empty())
      return false;
    return llvm::all_of(members, [&](Value value) {
      return llvm::all_of(value.getUses(),
                          [&](OpOperand &use) { return positions.contains(&use); });
    });
  }

  SmallVector<Operation *> combiners;

private:
  bool follow(OpOperand &use);
  bool followOperation(Operation *op, OpResult result);
  bool leadsBack(Value value, unsigned depth = 0);

  Value carried;
  llvm::DenseSet<Value> members;
  llvm::SmallPtrSet<OpOperand *, 8> positions;
};

constexpr unsigned mostLinks = 16; ///< operations on a way that is followed

/// Returns whether the value may be made of the carried one.
bool IntegerChain::leadsBack(Value value, unsigned depth) {
  if (value == carried)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth == mostLinks || !carried.getParentRegion()->isAncestor(op->getParentRegion()))
    return false;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return leadsBack(branch.thenYield().getOperand(number), depth + 1);
  }
  if (isa<arith::SelectOp>(op))
    return leadsBack(op->getOperand(1), depth + 1);
  return isCombiner(op) &&
         (leadsBack(op->getOperand(0), depth + 1) || leadsBack(op->getOperand(1), depth + 1));
}

bool IntegerChain::follow(OpOperand &use) {
  Value value = use.get();
  positions.insert(&use);
  if (!members.insert(value).second || value == carried)
    return true;
  Operation *op = value.getDefiningOp();
  bool isInside = op && carried.getParentRegion()->isAncestor(op->getParentRegion());
  return isInside && members.size() <= mostLinks && followOperation(op, cast<OpResult>(value));
}

bool IntegerChain::followOperation(Operation *op, OpResult result) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = result.getResultNumber();
    return follow(branch.thenYield()->getOpOperand(number)) &&
           follow(branch.elseYield()->getOpOperand(number));
  }
  if (isa<arith::SelectOp>(op))
    return follow(op->getOpOperand(1)) && follow(op->getOpOperand(2));
  if (!isCombiner(op) || (!combiners.empty() && !combineAlike(combiners.front(), op)))
    return false;
  combiners.push_back(op);
  bool isFirst = isa<arith::SubIOp>(op) || leadsBack(op->getOperand(0));
  return follow(op->getOpOperand(isFirst ? 0 : 1));
}

} // namespace

/// Returns the operand of a sum to which the others are added; null if `op` is none.
static OpOperand *sumOperand(Operation *op, Value carried) {
  if (isa<LLVM::FMulAddOp, LLVM::FMAOp>(op))
    return &op->getOpOperand(2);
  if (isa<LLVM::FSubOp>(op))
    return &op->getOpOperand(0);
  if (!isa<LLVM::FAddOp>(op))
    return nullptr;
  auto isLink = [&](Value value) {
    Operation *other = value.getDefiningOp();
    return value == carried || (other && other->getBlock() == op->getBlock() && value.hasOneUse() &&
                                sumOperand(other, carried));
  };
  // What is added to the carried value may be a sum as well.
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == carried)
      return &operand;
  for (OpOperand &operand : op->getOpOperands())
    if (isLink(operand.get()))
      return &operand;
  return nullptr;
}

/// Finds the sums through which a floating-point number passes in an iteration.
static bool findSums(Value carried, Value yielded, SmallVector<Operation *> &links) {
  Value value = yielded;
  while (value != carried) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != carried.getParentBlock() || !value.hasOneUse())
      return false;
    OpOperand *before = sumOperand(op, carried);
    if (!before)
      return false;
    links.push_back(op);
    value = before->get();
  }
  std::reverse(links.begin(), links.end());
  return !links.empty() && carried.hasOneUse();
}

namespace {

/// What a comparison says of its first operand.
struct Sense {
  bool isGreater, takesEqual;
};

} // namespace

static std::optional<Sense> senseOf(LLVM::FCmpPredicate predicate) {
  switch (predicate) {
  case LLVM::FCmpPredicate::ogt:
    return Sense{true, false};
  case LLVM::FCmpPredicate::oge:
    return Sense{true, true};
  case LLVM::FCmpPredicate::olt:
    return Sense{false, false};
  case LLVM::FCmpPredicate::ole:
    return Sense{false, true};
  default:
    return std::nullopt;
  }
}

static std::optional<Sense> senseOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return Sense{true, false};
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return Sense{true, true};
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return Sense{false, false};
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return Sense{false, true};
  default:
    return std::nullopt;
  }
}

static std::optional<Sense> senseOf(Operation *comparison) {
  if (auto compare = dyn_cast<LLVM::FCmpOp>(comparison))
    return senseOf(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(comparison))
    return senseOf(compare.getPredicate());
  return std::nullopt;
}

namespace {

/// Finds choices of the best, and which carried values belong to them.
class Choices {
public:
  Choices(scf::ForOp loop, CarriedValues &found) : loop(loop), found(found) {}

  /// Adds the choice of which the carried value of this number is the best.
  bool addLeader(unsigned number);
  /// Notes a carried value that is taken together with a best one.
  bool addFollower(unsigned number);
  /// Returns whether nothing else looks at the comparisons.
  bool areClosed();

private:
  arith::SelectOp selectOf(unsigned number);
  Value carriedOf(unsigned number) { return loop.getRegionIterArg(number); }
  static bool takesWhereTrue(arith::SelectOp select, Value carried) {
    return select.getFalseValue() == carried;
  }

  scf::ForOp loop;
  CarriedValues &found;
};

/// Returns the select between a new value and the carried one; null if there is none.
arith::SelectOp Choices::selectOf(unsigned number) {
  Value carried = carriedOf(number);
  auto yielded = loop.getBody()->getTerminator()->getOperand(number);
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (!select || select->getBlock() != loop.getBody() || !yielded.hasOneUse() ||
      (select.getTrueValue() == carried) == (select.getFalseValue() == carried) ||
      select.getCondition() == carried)
    return {};
  return select;
}

bool Choices::addLeader(unsigned number) {
  arith::SelectOp select = selectOf(number);
  Operation *comparison = select ? select.getCondition().getDefiningOp() : nullptr;
  std::optional<Sense> sense = comparison ? senseOf(comparison) : std::nullopt;
  Value carried = carriedOf(number);
  if (!sense || comparison->getBlock() != loop.getBody() ||
      llvm::any_of(carried.getUsers(),
                   [&](Operation *user) { return user != comparison && user != select; }))
    return false;
  bool isTrue = takesWhereTrue(select, carried);
  Value fresh = isTrue ? select.getTrueValue() : select.getFalseValue();
  bool isNewFirst = comparison->getOperand(0) == fresh && comparison->getOperand(1) == carried;
  if (!isNewFirst && (comparison->getOperand(1) != fresh || comparison->getOperand(0) != carried))
    return false;
  // Where an ordered comparison does not hold, the number may be none, and would be taken.
  if (!isTrue && isa<LLVM::FCmpOp>(comparison))
    return false;
  bool isGreater = sense->isGreater == isNewFirst, takesEqual = sense->takesEqual;
  if (!isTrue) {
    isGreater = !isGreater;
    takesEqual = !takesEqual;
  }
  found.values[number] = {.kind = CarriedValue::Chosen, .choice = unsigned(found.choices.size())};
  found.choices.push_back({comparison, isNewFirst, isTrue, takesEqual, isGreater, number});
  return true;
}

bool Choices::addFollower(unsigned number) {
  arith::SelectOp select = selectOf(number);
  Value carried = carriedOf(number);
  if (!select || !carried.hasOneUse())
    return false;
  for (auto [index, choice] : llvm::enumerate(found.choices))
    if (select.getCondition().getDefiningOp() == choice.comparison &&
        takesWhereTrue(select, carried) == choice.takesWhereTrue) {
      found.values[number] = {.kind = CarriedValue::Chosen, .choice = unsigned(index)};
      return true;
    }
  return false;
}

bool Choices::areClosed() {
  llvm::SmallPtrSet<Operation *, 4> selects;
  for (auto [number, value] : llvm::enumerate(found.values))
    if (value.kind == CarriedValue::Chosen)
      selects.insert(loop.getBody()->getTerminator()->getOperand(number).getDefiningOp());
  return llvm::all_of(found.choices, [&](const Choice &choice) {
    return llvm::all_of(choice.comparison->getUsers(),
                        [&](Operation *user) { return selects.contains(user); });
  });
}

} // namespace

/// Finds how one value is put together by itself.
static bool findAlone(scf::ForOp loop, unsigned number, bool mayReorder, CarriedValue &found) {
  Value carried = loop.getRegionIterArg(number);
  OpOperand &yielded = loop.getBody()->getTerminator()->getOpOperand(number);
  if (carried.getType().isInteger()) {
    IntegerChain chain(carried);
    if (carried.getType().getIntOrFloatBitWidth() > 64 || !chain.find(yielded))
      return false;
    found = {.kind = CarriedValue::Combined, .links = chain.combiners};
    return true;
  }
  Operation *last = yielded.get().getDefiningOp();
  if (mayReorder && last && isFloatExtremum(last)) {
    found = {.kind = CarriedValue::Combined, .links = {last}};
    return last->getBlock() == loop.getBody() && carried.hasOneUse() && yielded.get().hasOneUse() &&
           llvm::is_contained(last->getOperands(), carried);
  }
  SmallVector<Operation *> links;
  if (!isa<FloatType>(carried.getType()) || !findSums(carried, yielded.get(), links))
    return false;
  found = {.kind = mayReorder ? CarriedValue::Summed : CarriedValue::Ordered, .links = links};
  return true;
}

std::optional<Refusal> regrain::findCarriedValues(scf::ForOp loop, bool mayReorder,
                                                  CarriedValues &found) {
  unsigned count = loop.getNumRegionIterArgs();
  found.values.resize(count);
  SmallVector<unsigned> rest;
  Choices choices(loop, found);
  llvm::SmallDenseSet<unsigned> together;
  if (mayReorder)
    findRunningSums(loop, found);
  for (const RunningSum &running : found.running)
    for (unsigned number : {running.sum, running.largest})
      together.insert(number);
  for (unsigned number = 0; number < count; ++number)
    if (together.contains(number))
      continue;
    else if (!isa<IntegerType, FloatType>(loop.getRegionIterArg(number).getType()) ||
             loop.getRegionIterArg(number).getType().getIntOrFloatBitWidth() > 64)
      return refuse(loop, RefusalKind::NothingDealt,
                    "the loop carries a value that lanes cannot put together from their parts");
    else if (!findAlone(loop, number, mayReorder, found.values[number]) &&
             !choices.addLeader(number))
      rest.push_back(number);
  for (unsigned number : rest)
    if (!choices.addFollower(number))
      return refuse(loop, RefusalKind::NothingDealt,
                    "each iteration of the loop needs a value of the iteration before it");
  if (!choices.areClosed())
    return refuse(loop, RefusalKind::NothingDealt,
                  "the loop looks at whether it has found a better value");
  return std::nullopt;
}
