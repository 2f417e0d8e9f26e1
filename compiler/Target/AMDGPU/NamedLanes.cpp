//===- NamedLanes.cpp - Whether diverged lanes name each other ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/NamedLanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

namespace {

/// The maximum depth of the operations that compute a mask.
constexpr unsigned deepest = 6;

/// A value that is one of two.
struct Choice {
  const Value *condition, *one, *other;
};

/// Returns the choice that a phi makes where the two sides of a branch join.
std::optional<Choice> choiceOf(const PHINode &phi, const DominatorTree &tree) {
  const DomTreeNode *above = tree.getNode(phi.getParent())->getIDom();
  auto *branch = above ? dyn_cast<BranchInst>(above->getBlock()->getTerminator()) : nullptr;
  if (phi.getNumIncomingValues() != 2 || !branch || !branch->isConditional())
    return std::nullopt;
  auto comesBy = [&](unsigned way, unsigned incoming) {
    BasicBlockEdge edge(branch->getParent(), branch->getSuccessor(way));
    return tree.dominates(edge, phi.getOperandUse(incoming));
  };
  for (unsigned first : {0, 1})
    if (comesBy(0, first) && comesBy(1, 1 - first))
      return Choice{branch->getCondition(), phi.getIncomingValue(first),
                    phi.getIncomingValue(1 - first)};
  return std::nullopt;
}

std::optional<Choice> choiceOf(const Value &value, const DominatorTree &tree) {
  if (auto *select = dyn_cast<SelectInst>(&value))
    return Choice{select->getCondition(), select->getTrueValue(), select->getFalseValue()};
  auto *phi = dyn_cast<PHINode>(&value);
  return phi ? choiceOf(*phi, tree) : std::nullopt;
}

/// Returns the value of `value` if a switch takes that way and `value` compares the same number.
std::optional<bool> decidedBy(const SwitchInst &choice, const Value &value, unsigned way) {
  auto *compare = dyn_cast<ICmpInst>(&value);
  auto *number = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
  if (!number || compare->getOperand(0) != choice.getCondition())
    return std::nullopt;
  ICmpInst::Predicate predicate = compare->getPredicate();
  if (way != 0) {
    auto taken = SwitchInst::ConstCaseIt::fromSuccessorIndex(&choice, way);
    return ICmpInst::compare(taken->getCaseValue()->getValue(), number->getValue(), predicate);
  }
  bool isOther = choice.findCaseValue(number) != choice.case_default();
  return isOther && ICmpInst::isEquality(predicate) ? std::optional(predicate == ICmpInst::ICMP_NE)
                                                    : std::nullopt;
}

/// Returns the part of an aggregate that `value` extracts, if it is known.
const Value &partOf(const Value &value) {
  auto *extract = dyn_cast<ExtractValueInst>(&value);
  Value *part = extract ? FindInsertedValue(const_cast<Value *>(extract->getAggregateOperand()),
                                            extract->getIndices())
                        : nullptr;
  return part && part != extract ? partOf(*part) : value;
}

/// Determines the contents of a mask for lanes that took one side of a branch.
class Mask {
public:
  Mask(const Arrival &arrival, const DominatorTree &tree, const LoopInfo &loops)
      : arrival(arrival), tree(tree), loops(loops),
        layout(arrival.site->getModule()->getDataLayout()) {}

  /// Returns the known bits of the mask.
  KnownBits bits() const { return bitsOf(*arrival.lanes, deepest); }
  /// Returns whether the mask names none of the lanes that took the other side.
  bool leavesOthersOut() const { return leavesOthersOut(*arrival.lanes, deepest); }

private:
  std::optional<bool> decided(const Value &value, unsigned way) const;
  KnownBits bitsOf(const Value &made, unsigned depth) const;
  bool mustPass(const BasicBlock &block) const;
  bool hasVoted(const CallInst &ballot, bool holds) const;
  bool holdsOthers(const Value &mask, const Value &lanes, unsigned depth) const;
  bool leavesOthersOut(const Value &made, unsigned depth) const;

  const Arrival &arrival;
  const DominatorTree &tree;
  const LoopInfo &loops;
  const DataLayout &layout;
};

/// Returns the value of `value` for lanes that took that side; nothing if it may have changed
/// since.
std::optional<bool> Mask::decided(const Value &value, unsigned way) const {
  if (const Value * other; match(&value, m_Not(m_Value(other)))) {
    std::optional<bool> known = decided(*other, way);
    return known ? std::optional(!*known) : std::nullopt;
  }
  const Instruction *end = arrival.parting->getTerminator();
  if (!arrival.isFresh)
    return std::nullopt;
  if (auto *choice = dyn_cast<SwitchInst>(end))
    return decidedBy(*choice, value, way);
  auto *branch = dyn_cast<BranchInst>(end);
  return branch && branch->isConditional()
             ? isImpliedCondition(branch->getCondition(), &value, layout, way == 0)
             : std::nullopt;
}

KnownBits Mask::bitsOf(const Value &made, unsigned depth) const {
  const Value &mask = partOf(made);
  const Value *one = nullptr, *other = nullptr;
  auto known = [&](const Value *value) { return bitsOf(*value, depth - 1); };
  if (depth == 0)
    return computeKnownBits(&mask, layout);
  if (match(&mask, m_And(m_Value(one), m_Value(other))))
    return known(one) & known(other);
  if (match(&mask, m_Or(m_Value(one), m_Value(other))))
    return known(one) | known(other);
  if (match(&mask, m_Xor(m_Value(one), m_Value(other))))
    return known(one) ^ known(other);
  if (std::optional<Choice> choice = choiceOf(mask, tree)) {
    if (std::optional<bool> first = decided(*choice->condition, arrival.way))
      return known(*first ? choice->one : choice->other);
    return known(choice->one).intersectWith(known(choice->other));
  }
  return computeKnownBits(&mask, layout);
}

/// Returns whether all diverged lanes run `block` before their operation.
bool Mask::mustPass(const BasicBlock &block) const {
  SmallSetVector<const BasicBlock *, 16> reached;
  reached.insert(arrival.parting->getTerminator()->getSuccessor(arrival.way));
  for (size_t i = 0; i < reached.size(); ++i)
    if (reached[i] != &block)
      reached.insert(succ_begin(reached[i]), succ_end(reached[i]));
  return &block == arrival.site->getParent() || !reached.contains(arrival.site->getParent());
}

bool isCallOf(const CallInst &call, StringRef name) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with(name);
}

/// Returns whether the lanes that took the other side have voted this way in a ballot before the
/// branch, in the same iteration of all loops: in other iterations, lanes may have left others
/// behind.
bool Mask::hasVoted(const CallInst &ballot, bool holds) const {
  const Loop *loop = loops.getLoopFor(ballot.getParent());
  if (loop && !loop->contains(arrival.parting))
    return false;
  return isCallOf(ballot, "nvvm_vote_ballot_sync") &&
         tree.dominates(&ballot, arrival.parting->getTerminator()) &&
         decided(*ballot.getArgOperand(1), arrival.otherWay) == holds;
}

/// Returns whether a mask that is computed from ballots contains those of `lanes` that took the
/// other side.
bool Mask::holdsOthers(const Value &mask, const Value &lanes, unsigned depth) const {
  const Value *one = nullptr, *other = nullptr;
  if (depth != 0 && match(&mask, m_Or(m_Value(one), m_Value(other))))
    return holdsOthers(*one, lanes, depth - 1) || holdsOthers(*other, lanes, depth - 1);
  auto *ballot = dyn_cast<CallInst>(&mask);
  if (!ballot || !hasVoted(*ballot, true))
    return false;
  const Value &asked = partOf(*ballot->getArgOperand(0));
  return &asked == &lanes || match(&asked, m_AllOnes());
}

bool Mask::leavesOthersOut(const Value &made, unsigned depth) const {
  const Value &mask = partOf(made);
  if (depth == 0)
    return false;
  auto leavesOut = [&](const Value *value) { return leavesOthersOut(*value, depth - 1); };
  const Value *one = nullptr, *other = nullptr, *complement = nullptr;
  if (match(&mask, m_Not(m_Value(complement))))
    return holdsOthers(*complement, mask, depth - 1);
  if (match(&mask, m_c_And(m_Not(m_Value(complement)), m_Value(one))) &&
      holdsOthers(*complement, partOf(*one), depth - 1))
    return true;
  if (match(&mask, m_And(m_Value(one), m_Value(other))))
    return leavesOut(one) || leavesOut(other);
  if (std::optional<Choice> choice = choiceOf(mask, tree)) {
    std::optional<bool> first = decided(*choice->condition, arrival.way);
    return (first == false || leavesOut(choice->one)) &&
           (first == true || leavesOut(choice->other));
  }
  auto *call = dyn_cast<CallInst>(&mask);
  if (!call)
    return false;
  // These name lanes that are active together.
  bool isOfThosePresent = isCallOf(*call, "nvvm_activemask") ||
                          isCallOf(*call, "nvvm_vote_ballot_sync") ||
                          isCallOf(*call, "nvvm_match_any_sync");
  return (isOfThosePresent && mustPass(*call->getParent())) || hasVoted(*call, false);
}

} // namespace

bool mayBeEqual(const KnownBits &one, const KnownBits &other) {
  return KnownBits::eq(one, other).value_or(true) && !(one.Zero | other.Zero).isAllOnes();
}

bool mayNameEachOther(const Arrival &one, const Arrival &other, const DominatorTree &tree,
                      const LoopInfo &loops) {
  Mask first(one, tree, loops), second(other, tree, loops);
  return mayBeEqual(first.bits(), second.bits()) && !first.leavesOthersOut() &&
         !second.leavesOthersOut();
}

} // namespace regrain::amdgpu
