//===- OwnProgress.cpp - Loops that end by their own progress -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Waiting/OwnProgress.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::waiting {

namespace {

bool isInEachTurn(const BasicBlock *block, const Loop &loop, const DominatorTree &dominators) {
  SmallVector<BasicBlock *, 4> latches;
  loop.getLoopLatches(latches);
  return all_of(latches, [&](BasicBlock *latch) { return dominators.dominates(block, latch); });
}

/// Returns whether the value is the same in all iterations: none of its operands is read in the
/// loop.
bool isInvariant(const Value *value, const Loop &loop, unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !loop.contains(inst))
    return true;
  if (depth > 16 || isa<PHINode>(inst) || inst->mayReadOrWriteMemory())
    return false;
  return all_of(inst->operands(),
                [&](const Use &operand) { return isInvariant(operand, loop, depth + 1); });
}

enum class Direction { None, Up, Down };

Direction directionOf(const APInt &step) {
  return step.isZero() ? Direction::None : step.isNegative() ? Direction::Down : Direction::Up;
}

/// Returns in which direction an update moves a number, whatever else the memory contains, if its
/// steps are small enough not to skip the limits of loops.
Direction directionOf(const AtomicRMWInst &update) {
  constexpr uint64_t mostStep = 1 << 16;
  auto *step = dyn_cast<ConstantInt>(update.getValOperand());
  if (!step || step->getValue().abs().uge(mostStep))
    return Direction::None;
  if (update.getOperation() == AtomicRMWInst::Add)
    return directionOf(step->getValue());
  if (update.getOperation() == AtomicRMWInst::Sub)
    return directionOf(-step->getValue());
  return Direction::None;
}

/// Finds other writes of a loop to the word by which it makes progress, apart from its own
/// operation and from updates in the same direction.
class OtherWrites {
public:
  OtherWrites(const Instruction &own, const Value &pointer, Direction direction)
      : own(own), memory(getUnderlyingObject(&pointer, 0)), direction(direction) {}

  bool in(const Loop &loop) {
    return any_of(loop.blocks(), [&](const BasicBlock *block) { return isWithin(*block); });
  }

private:
  bool isWithin(const BasicBlock &block) {
    return any_of(block, [&](const Instruction &inst) { return isBy(inst); });
  }

  bool isBy(const Instruction &inst) {
    if (&inst == &own)
      return false;
    if (auto *call = dyn_cast<CallBase>(&inst))
      return isBehind(*call);
    if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
      return (direction == Direction::None || directionOf(*update) != direction) &&
             mayBeWord(update->getPointerOperand());
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
      return mayBeWord(exchange->getPointerOperand());
    auto *store = dyn_cast<StoreInst>(&inst);
    return store && (store->isSimple() ? isOfThread(store->getPointerOperand())
                                       : mayBeWord(store->getPointerOperand()));
  }

  bool isBehind(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return call.mayWriteToMemory();
    if (callee->isDeclaration())
      return call.mayWriteToMemory() && any_of(call.args(), [&](const Use &argument) {
               return argument->getType()->isPointerTy() &&
                      getUnderlyingObject(argument, 0) == memory;
             });
    return seen.insert(callee).second &&
           any_of(*callee, [&](const BasicBlock &block) { return isWithin(block); });
  }

  bool mayBeWord(const Value *pointer) const {
    const Value *other = getUnderlyingObject(pointer, 0);
    return memory == other || !isIdentifiedObject(memory) || !isIdentifiedObject(other);
  }

  /// Returns whether a plain store counts. A store through another pointer is assumed to write
  /// results, since it would race if other threads relied on the word.
  bool isOfThread(const Value *pointer) const {
    const Value *other = getUnderlyingObject(pointer, 0);
    auto *parameter = dyn_cast<Argument>(other);
    bool isElsewhere = parameter && parameter->getParent() != own.getFunction();
    return memory == other || (isElsewhere && mayBeWord(pointer));
  }

  const Instruction &own;
  const Value *memory;
  Direction direction;
  SmallPtrSet<const Function *, 4> seen;
};

bool isOldValue(const Value *value, const AtomicCmpXchgInst &exchange) {
  while (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  auto *part = dyn_cast<ExtractValueInst>(value);
  return part && part->getAggregateOperand() == &exchange && part->getIndices()[0] == 0;
}

/// Returns whether `exchange` compares with what the thread has last read at its address.
bool comparesLastRead(const AtomicCmpXchgInst &exchange, const Loop &loop,
                      const DominatorTree &dominators) {
  const Value *expected = exchange.getCompareOperand();
  while (auto *cast = dyn_cast<BitCastInst>(expected))
    expected = cast->getOperand(0);
  const Value *pointer = exchange.getPointerOperand();
  if (auto *load = dyn_cast<LoadInst>(expected))
    return loop.contains(load) && load->getPointerOperand() == pointer &&
           dominators.dominates(load, &exchange);
  auto *phi = dyn_cast<PHINode>(expected);
  if (!phi || phi->getParent() != loop.getHeader() || !isInvariant(pointer, loop))
    return false;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
    if (loop.contains(phi->getIncomingBlock(i)) && !isOldValue(phi->getIncomingValue(i), exchange))
      return false;
  return true;
}

/// Returns the exchange that has succeeded if `test` is `outcome`, or null.
AtomicCmpXchgInst *succeededWhere(Value *test, bool outcome) {
  ICmpInst::Predicate predicate;
  Value *left, *right;
  if (auto *part = dyn_cast<ExtractValueInst>(test)) {
    auto *exchange = dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand());
    return outcome && part->getIndices()[0] == 1 ? exchange : nullptr;
  }
  if (!match(test, m_ICmp(predicate, m_Value(left), m_Value(right))) ||
      predicate != (outcome ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE))
    return nullptr;
  for (auto [old, expected] : {std::pair(left, right), std::pair(right, left)})
    if (auto *part = dyn_cast<ExtractValueInst>(old))
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand()))
        if (part->getIndices()[0] == 0 && exchange->getCompareOperand() == expected)
          return exchange;
  return nullptr;
}

/// Adds the exchanges whose success makes `condition` equal to `outcome`.
void addDeciding(Value *condition, bool outcome, SmallVectorImpl<AtomicCmpXchgInst *> &found) {
  Value *left, *right;
  bool either = outcome ? match(condition, m_LogicalOr(m_Value(left), m_Value(right)))
                        : match(condition, m_LogicalAnd(m_Value(left), m_Value(right)));
  if (either) {
    addDeciding(left, outcome, found);
    addDeciding(right, outcome, found);
  } else if (match(condition, m_Not(m_Value(left)))) {
    addDeciding(left, !outcome, found);
  } else if (AtomicCmpXchgInst *exchange = succeededWhere(condition, outcome)) {
    found.push_back(exchange);
  }
}

} // namespace

bool retriesExchange(const Loop &loop, const DominatorTree &dominators) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock *block : exiting) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || !isInEachTurn(block, loop, dominators))
      continue;
    SmallVector<AtomicCmpXchgInst *> deciding;
    addDeciding(branch->getCondition(), !loop.contains(branch->getSuccessor(0)), deciding);
    for (AtomicCmpXchgInst *exchange : deciding)
      if (loop.contains(exchange) && isInEachTurn(exchange->getParent(), loop, dominators) &&
          comparesLastRead(*exchange, loop, dominators) &&
          !OtherWrites(*exchange, *exchange->getPointerOperand(), Direction::None).in(loop))
        return true;
  }
  return false;
}

namespace {

/// Returns whether the value is a product of sizes of blocks and grids, which are not zero.
bool isProductOfSizes(const SCEV *value, const Machine &machine) {
  if (auto *constant = dyn_cast<SCEVConstant>(value))
    return constant->getAPInt().isStrictlyPositive();
  if (auto *cast = dyn_cast<SCEVCastExpr>(value))
    return !isa<SCEVTruncateExpr>(value) && isProductOfSizes(cast->getOperand(), machine);
  if (auto *product = dyn_cast<SCEVMulExpr>(value))
    return all_of(product->operands(),
                  [&](const SCEV *factor) { return isProductOfSizes(factor, machine); });
  auto *unknown = dyn_cast<SCEVUnknown>(value);
  return unknown && machine.isSize(*unknown->getValue());
}

Direction inductionOf(Value &value, const Loop &loop, ScalarEvolution &evolution,
                      const Machine &machine) {
  if (!evolution.isSCEVable(value.getType()))
    return Direction::None;
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&value));
  if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
    return Direction::None;
  const SCEV *step = recurrence->getStepRecurrence(evolution);
  if (auto *constant = dyn_cast<SCEVConstant>(step))
    return directionOf(constant->getAPInt());
  return isProductOfSizes(step, machine) ? Direction::Up : Direction::None;
}

/// Returns the previous iteration's value of a value at the loop's head, if all back edges agree;
/// otherwise null.
Value *lastTurnsValue(Value *value, const Loop &loop) {
  auto *phi = dyn_cast<PHINode>(value);
  if (!phi || phi->getParent() != loop.getHeader())
    return nullptr;
  Value *last = nullptr;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    if (!loop.contains(phi->getIncomingBlock(i)))
      continue;
    if (last && last != phi->getIncomingValue(i))
      return nullptr;
    last = phi->getIncomingValue(i);
  }
  return last;
}

/// Returns whether a thread can draw all tickets from `counter` up to `limit` by itself, whatever
/// the counter's value is. With 64 bits, or with a large constant, it relies on other threads.
bool areFew(const AtomicRMWInst &counter, const Value &limit) {
  constexpr unsigned mostBits = 32;
  constexpr int64_t most = 1 << 20;
  auto *constant = dyn_cast<ConstantInt>(&limit);
  return counter.getType()->getIntegerBitWidth() <= mostBits &&
         (!constant || (constant->getValue().sle(most) && constant->getValue().sge(-most)));
}

/// Returns whether the function writes something other than a ticket to the counter's memory, which
/// may then make the counter reach the limit.
bool isSetOtherwise(const AtomicRMWInst &counter) {
  const Value *memory = getUnderlyingObject(counter.getPointerOperand(), 0);
  return any_of(instructions(*counter.getFunction()), [&](const Instruction &inst) {
    auto *update = dyn_cast<AtomicRMWInst>(&inst);
    if (update && (update->getOperation() == AtomicRMWInst::Add ||
                   update->getOperation() == AtomicRMWInst::Sub))
      return false;
    const Value *pointer = update ? update->getPointerOperand() : nullptr;
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
      pointer = exchange->getPointerOperand();
    if (auto *store = dyn_cast<StoreInst>(&inst); store && !store->isSimple())
      pointer = store->getPointerOperand();
    return pointer && getUnderlyingObject(pointer, 0) == memory;
  });
}

/// Returns in which direction the tickets go to which `value` adds only invariants.
Direction ticketsOf(Value *value, const Value &limit, const Loop &loop,
                    const DominatorTree &dominators) {
  Value *left, *right;
  if (Value *last = lastTurnsValue(value, loop))
    value = last;
  while (true) {
    if (isa<SExtInst, ZExtInst>(value))
      value = cast<CastInst>(value)->getOperand(0);
    else if (match(value, m_Add(m_Value(left), m_Value(right))) && isInvariant(right, loop))
      value = left;
    else if (match(value, m_Add(m_Value(left), m_Value(right))) && isInvariant(left, loop))
      value = right;
    else
      break;
  }
  auto *draw = dyn_cast<AtomicRMWInst>(value);
  if (!draw || directionOf(*draw) == Direction::None || !loop.contains(draw) ||
      !isInvariant(draw->getPointerOperand(), loop) ||
      !isInEachTurn(draw->getParent(), loop, dominators) || !areFew(*draw, limit) ||
      isSetOtherwise(*draw) ||
      OtherWrites(*draw, *draw->getPointerOperand(), directionOf(*draw)).in(loop))
    return Direction::None;
  return directionOf(*draw);
}

} // namespace

std::optional<CountedExit> countedExit(Value &condition, bool stays, const Loop &loop,
                                       const DominatorTree &dominators, ScalarEvolution &evolution,
                                       const Machine &machine) {
  auto *comparison = dyn_cast<ICmpInst>(&condition);
  if (!comparison || !comparison->isRelational())
    return std::nullopt;
  for (bool isLeft : {true, false}) {
    Value *counter = comparison->getOperand(isLeft ? 0 : 1);
    Value *limit = comparison->getOperand(isLeft ? 1 : 0);
    ICmpInst::Predicate predicate =
        isLeft ? comparison->getPredicate() : comparison->getSwappedPredicate();
    if (!stays)
      predicate = ICmpInst::getInversePredicate(predicate);
    Direction direction = inductionOf(*counter, loop, evolution, machine);
    if (direction == Direction::None)
      direction = ticketsOf(counter, *limit, loop, dominators);
    if (direction ==
        (ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate) ? Direction::Up : Direction::Down))
      return CountedExit{counter, limit};
  }
  return std::nullopt;
}

} // namespace regrain::waiting
