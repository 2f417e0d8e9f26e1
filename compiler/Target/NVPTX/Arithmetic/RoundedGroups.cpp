//===- RoundedGroups.cpp - Quotients and roots that are joined ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/RoundedGroups.h"

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain::nvptx {

/// A block that is one long chain of divisions gets several checks, so that what is computed twice
/// if one fails stays small.
static constexpr unsigned mostMembers = 8;
/// How many instructions may be between two members: the first one's result is kept for so long.
static constexpr unsigned mostBetween = 40;
/// The least gain of a group. What is behind the check adds code.
static constexpr int leastGain = 5;

Value *radicandOf(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  bool isRoot =
      call && call->getType()->isFloatTy() && !call->hasApproxFunc() &&
      is_contained({Intrinsic::ID(Intrinsic::sqrt), Intrinsic::ID(Intrinsic::nvvm_sqrt_rn_f)},
                   call->getIntrinsicID());
  return isRoot ? call->getArgOperand(0) : nullptr;
}

/// Returns whether the operand of a division may be in the range that has a fast way.
static bool isPlain(const Value &operand, APFloat least, APFloat most) {
  auto *constant = dyn_cast<ConstantFP>(&operand);
  if (!constant)
    return !isa<Constant>(operand);
  APFloat magnitude = abs(constant->getValueAPF());
  return magnitude.isNormal() && magnitude >= least && magnitude <= most;
}

bool isQuotient(const Instruction &instruction) {
  const fltSemantics &single = APFloat::IEEEsingle();
  return instruction.getOpcode() == Instruction::FDiv && instruction.getType()->isFloatTy() &&
         !instruction.hasAllowReciprocal() && !instruction.hasApproxFunc() &&
         isPlain(*instruction.getOperand(0), APFloat(leastDividend), APFloat::getLargest(single)) &&
         isPlain(*instruction.getOperand(1), APFloat::getSmallestNormalized(single),
                 APFloat(mostDivisor));
}

bool takesZero(const Instruction &quotient) {
  return !quotient.hasOneUse() || radicandOf(*cast<Instruction>(quotient.user_back())) != &quotient;
}

/// Returns whether the number is not below 0.
static bool isNeverNegative(const Value &number, const DataLayout &layout) {
  auto *instruction = dyn_cast<Instruction>(&number);
  return (instruction && radicandOf(*instruction)) ||
         cannotBeOrderedLessThanZero(&number, 0, SimplifyQuery(layout));
}

/// Returns whether the result is infinite or not a number if any operand is.
static bool handsOn(const Instruction &instruction) {
  constexpr unsigned sums[] = {Instruction::FAdd, Instruction::FSub, Instruction::FMul,
                               Instruction::FNeg};
  if (is_contained(sums, instruction.getOpcode()))
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && is_contained({Intrinsic::ID(Intrinsic::fma), Intrinsic::ID(Intrinsic::fmuladd),
                               Intrinsic::ID(Intrinsic::fabs)},
                              call->getIntrinsicID());
}

int RoundedGroup::gain() const {
  constexpr int before = 10, check = 4; // a comparison, a branch, and where lanes converge
  int now = check + int(ends.size());
  for (const auto &[divisor, quotients] : divisors) {
    if (!isa<Constant>(divisor)) // a reciprocal, its range and its sign
      now += byPositive.contains(quotients[0]) ? 4 : 6;
    for (const Instruction *quotient : quotients)
      now += isa<Constant>(quotient->getOperand(0)) ? 3 : takesZero(*quotient) ? 5 : 4;
  }
  for (const Instruction *member : members)
    now += radicandOf(*member) ? 7 : 0;
  return before * int(members.size()) - now;
}

namespace {

class Finder {
public:
  explicit Finder(BasicBlock &block) : block(block) {}

  SmallVector<RoundedGroup, 2> run() {
    for (Instruction &instruction : block)
      visit(instruction);
    close();
    return std::move(groups);
  }

private:
  /// What is known of an instruction that depends on members.
  enum class Dependence { None, Arithmetic, Other };

  Dependence dependenceOf(const Instruction &instruction) const {
    Dependence result = Dependence::None;
    if (!isa<PHINode>(instruction))
      for (const Value *operand : instruction.operand_values())
        result = std::max(result, dependences.lookup(operand));
    return result;
  }

  void visit(Instruction &instruction) {
    Dependence dependence = dependenceOf(instruction);
    bool isMember = isQuotient(instruction) || radicandOf(instruction);
    bool hasEffects =
        instruction.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&instruction);
    bool ends = isMember ? dependence == Dependence::Other || members.size() == mostMembers ||
                               distance > mostBetween
                         : (dependence != Dependence::None && hasEffects) ||
                               (isa<CallBase>(instruction) && instruction.mayHaveSideEffects());
    if (ends) {
      close();
      dependence = Dependence::None;
    }
    ++distance;
    if (isMember) {
      members.push_back(&instruction);
      dependences[&instruction] = Dependence::Arithmetic;
      distance = 0;
    } else if (dependence != Dependence::None) {
      // A result of other kinds may be undefined where a quotient is not a number yet.
      dependences[&instruction] = handsOn(instruction) ? dependence : Dependence::Other;
    }
  }

  void close() {
    RoundedGroup group;
    chooseMembers(group);
    if (group.members.size() > 1) {
      findSlice(group);
      findEnds(group);
      if (group.gain() >= leastGain)
        groups.push_back(std::move(group));
    }
    members.clear();
    dependences.clear();
  }

  /// Takes the roots, and the quotients whose divisor has a constant reciprocal or several.
  void chooseMembers(RoundedGroup &group) const {
    for (Instruction *member : members)
      if (!radicandOf(*member))
        group.divisors[member->getOperand(1)].push_back(member);
    group.divisors.remove_if(
        [](auto &entry) { return entry.second.size() == 1 && !isa<Constant>(entry.first); });
    const DataLayout &layout = block.getModule()->getDataLayout();
    for (const auto &[divisor, quotients] : group.divisors)
      if (isNeverNegative(*divisor, layout))
        group.byPositive.insert(quotients.begin(), quotients.end());
    for (Instruction *member : members)
      if (radicandOf(*member) || group.divisors.contains(member->getOperand(1)))
        group.members.insert(member);
  }

  static void findSlice(RoundedGroup &group) {
    SmallPtrSet<const Value *, 16> dependent, needed;
    SmallVector<Instruction *, 32> inOrder;
    BasicBlock::iterator end = std::next(group.members.back()->getIterator());
    for (Instruction &one : make_range(group.members.front()->getIterator(), end))
      if (group.members.contains(&one) ||
          any_of(one.operand_values(), [&](Value *value) { return dependent.contains(value); })) {
        dependent.insert(&one);
        inOrder.push_back(&one);
      }
    for (Instruction *one : reverse(inOrder))
      if (group.members.contains(one) || needed.contains(one))
        for (Value *operand : one->operand_values())
          if (dependent.contains(operand))
            needed.insert(operand);
    for (Instruction *one : inOrder)
      if (group.members.contains(one) || needed.contains(one))
        group.slice.insert(one);
      else
        group.rest.push_back(one);
  }

  /// Returns whether a check of another member fails if the value is not finite.
  static bool isSeen(const RoundedGroup &group, const Instruction &value) {
    return any_of(value.users(), [&](const User *user) {
      auto *one = const_cast<Instruction *>(cast<Instruction>(user));
      return group.members.contains(one) ||
             (group.slice.contains(one) && handsOn(*one) && isSeen(group, *one));
    });
  }

  static void findEnds(RoundedGroup &group) {
    for (const auto &[divisor, quotients] : group.divisors)
      for (Instruction *quotient : quotients)
        if (!isSeen(group, *quotient))
          group.ends.insert(quotient);
  }

  BasicBlock &block;
  SmallVector<RoundedGroup, 2> groups;
  SmallVector<Instruction *, 16> members;
  DenseMap<const Value *, Dependence> dependences;
  unsigned distance = 0;
};

} // namespace

bool gatherQuotients(BasicBlock &block) {
  bool isChanged = false;
  DenseMap<Value *, Instruction *> last; // the quotient by each divisor
  for (Instruction &quotient : make_early_inc_range(block)) {
    if (!isQuotient(quotient))
      continue;
    auto [found, isFirst] = last.try_emplace(quotient.getOperand(1), &quotient);
    if (isFirst)
      continue;
    auto *after = std::exchange(found->second, &quotient);
    auto *dividend = dyn_cast<Instruction>(quotient.getOperand(0));
    if (dividend && dividend->getParent() == &block && after->comesBefore(dividend))
      after = dividend;
    if (isa<PHINode>(after) || after->getNextNode() == &quotient)
      continue;
    quotient.moveAfter(after);
    isChanged = true;
  }
  return isChanged;
}

SmallVector<RoundedGroup, 2> findRoundedGroups(BasicBlock &block) { return Finder(block).run(); }

} // namespace regrain::nvptx
