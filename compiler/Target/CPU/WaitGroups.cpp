//===- WaitGroups.cpp - Warp operations that are carried out at once ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/WaitGroups.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Returns whether the instruction is a warp operation that hands over a value. One without a mask
/// is of the lanes that happen to be there, which may differ from one operation to the next.
CallInst *exchangeIn(Instruction &inst) {
  CallInst *wait = callOf(inst, waitName);
  bool exchanges = wait && waitKind(*wait) > REGRAIN_WARP_SYNC && !wait->use_empty() &&
                   !PatternMatch::match(wait->getArgOperand(1), PatternMatch::m_Zero());
  return exchanges ? wait : nullptr;
}

/// Returns whether two operations differ at most in the value that they hand over.
bool areAlike(const CallInst &first, const CallInst &second) {
  for (unsigned operand : {0, 1, 3, 4})
    if (first.getArgOperand(operand) != second.getArgOperand(operand))
      return false;
  return true;
}

/// Returns whether an operation may be moved past the instruction, and the instruction past it.
bool isPure(Instruction &inst) {
  if (callOf(inst, specialName) || callOf(inst, sharedBaseName))
    return true;
  return !inst.isTerminator() && !inst.mayReadOrWriteMemory() && !inst.mayHaveSideEffects() &&
         isSafeToSpeculativelyExecute(&inst);
}

/// Collects the operations that may join one, and moves them.
class Group {
public:
  explicit Group(CallInst &first) : first(first), last(&first) { results.insert(&first); }

  /// Considers the instructions behind the first operation; returns the last of the group.
  CallInst *collect() {
    Instruction *next = first.getNextNode();
    while (size < mostInGroup) {
      Instruction &inst = *next;
      next = inst.getNextNode();
      if (CallInst *wait = exchangeIn(inst)) {
        if (!areAlike(first, *wait) || results.contains(wait->getArgOperand(2)))
          break;
        add(*wait);
      } else if (isPure(inst)) {
        pass(inst);
      } else {
        break;
      }
    }
    return last;
  }

private:
  void pass(Instruction &inst) {
    bool depends = any_of(inst.operands(), [&](Value *value) { return results.contains(value); });
    (depends ? results : between).insert(&inst);
  }

  void add(CallInst &wait) {
    moveToFront(wait.getArgOperand(2));
    wait.moveAfter(last);
    last = &wait;
    results.insert(&wait);
    ++size;
  }

  /// Moves what `value` needs in front of the group. The operands of an instruction between the
  /// operations that depends on no result depend on none either.
  void moveToFront(Value *value) {
    SmallVector<std::pair<Instruction *, bool>> pending;
    auto push = [&](Value *needed) {
      if (between.contains(needed))
        pending.push_back({cast<Instruction>(needed), false});
    };
    push(value);
    while (!pending.empty()) {
      auto [inst, isReady] = pending.pop_back_val();
      if (!between.contains(inst))
        continue;
      if (isReady) {
        inst->moveBefore(&first);
        between.erase(inst);
        continue;
      }
      pending.push_back({inst, true});
      for (Value *operand : inst->operands())
        push(operand);
    }
  }

  CallInst &first, *last;
  unsigned size = 1;
  SmallPtrSet<const Value *, 32> results; ///< of the group, and what depends on them
  SmallPtrSet<const Value *, 32> between; ///< what stands behind `first` and depends on none
};

} // namespace

void groupWaits(Function &kernel) {
  for (BasicBlock &block : kernel)
    for (Instruction *inst = &block.front(); inst; inst = inst->getNextNode())
      if (CallInst *wait = exchangeIn(*inst))
        inst = Group(*wait).collect();
}

SmallVector<CallInst *> groupAt(CallInst &first) {
  SmallVector<CallInst *> group = {&first};
  if (!exchangeIn(first))
    return group;
  while (group.size() < mostInGroup) {
    CallInst *next = exchangeIn(*group.back()->getNextNode());
    if (!next || !areAlike(first, *next) || is_contained(group, next->getArgOperand(2)))
      break;
    group.push_back(next);
  }
  return group;
}

} // namespace regrain::cpu
