//===- CountedPointers.cpp - Addresses from a loop's counter --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/CountedPointers.h"
#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// What a loop adds to a number or a pointer in each iteration.
struct Step {
  PHINode *value;
  Value *start;
  Instruction *next;
  Value *distance;
};

std::optional<Step> stepOf(PHINode &phi, const Loop &loop) {
  if (phi.getNumIncomingValues() != 2)
    return std::nullopt;
  auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  Value *distance = nullptr;
  if (auto *sum = dyn_cast_or_null<GetElementPtrInst>(next)) {
    if (sum->getPointerOperand() == &phi && sum->getNumIndices() == 1 &&
        sum->getSourceElementType()->isIntegerTy(8))
      distance = sum->getOperand(1);
  } else if (next) {
    match(next, m_Add(m_Specific(&phi), m_Value(distance)));
  }
  if (!distance || !distance->getType()->isIntegerTy(64) || !loop.isLoopInvariant(distance))
    return std::nullopt;
  return Step{&phi, phi.getIncomingValueForBlock(loop.getLoopPredecessor()), next, distance};
}

/// A pointer that is always `base` and the counter's number of elements of 2^shift bytes.
struct CountedPointer {
  Step pointer, counter;
  Value *base;
  uint64_t shift;
};

std::optional<CountedPointer> relate(const Step &pointer, const Step &counter) {
  auto *start = dyn_cast<GetElementPtrInst>(pointer.start);
  uint64_t shift = 0;
  if (!start || start->getNumIndices() != 1 || !start->getSourceElementType()->isIntegerTy(8) ||
      !match(start->getOperand(1), m_Shl(m_Specific(counter.start), m_ConstantInt(shift))) ||
      !match(pointer.distance, m_Shl(m_Specific(counter.distance), m_SpecificInt(shift))))
    return std::nullopt;
  return CountedPointer{pointer, counter, start->getPointerOperand(), shift};
}

/// Returns whether the loop only reads and writes at the pointer, or at constant distances from it.
bool isOnlyAccessed(const Value &pointer, const Instruction *next, const Loop &loop) {
  return all_of(pointer.users(), [&](const User *user) {
    if (user == next)
      return next->hasOneUse();
    if (!loop.contains(cast<Instruction>(user)))
      return false;
    auto *address = dyn_cast<GetElementPtrInst>(user);
    if (address)
      return address->hasAllConstantIndices() && isOnlyAccessed(*address, nullptr, loop);
    return getLoadStorePointerOperand(user) == &pointer;
  });
}

void count(const CountedPointer &counted) {
  const auto &[pointer, counter, base, shift] = counted;
  BasicBlock *header = pointer.value->getParent();
  IRBuilder<> builder(header, header->getFirstInsertionPt());
  Value *offset = builder.CreateShl(counter.value, builder.getInt64(shift));
  Value *start = pointer.start, *distance = pointer.distance;
  pointer.value->replaceAllUsesWith(builder.CreatePtrAdd(base, offset));
  pointer.value->eraseFromParent();
  pointer.next->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(start);
  RecursivelyDeleteTriviallyDeadInstructions(distance);
}

bool countInLoop(const Loop &loop) {
  if (!loop.getLoopPredecessor() || !loop.getLoopLatch())
    return false;
  SmallVector<Step> pointers, counters;
  for (PHINode &phi : loop.getHeader()->phis())
    if (std::optional<Step> step = stepOf(phi, loop); step && !isa<Constant>(step->distance))
      (phi.getType()->isPointerTy() ? pointers : counters).push_back(*step);
  bool isChanged = false;
  for (const Step &counter : counters) {
    SmallVector<CountedPointer> all;
    for (const Step &pointer : pointers)
      if (std::optional<CountedPointer> counted = relate(pointer, counter))
        all.push_back(*counted);
    if (all.size() != 1 || !isOnlyAccessed(*all[0].pointer.value, all[0].pointer.next, loop))
      continue;
    count(all[0]);
    isChanged = true;
  }
  return isChanged;
}

} // namespace

bool countPointers(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool isChanged = false;
  for (const Loop *loop : loops.getLoopsInPreorder())
    isChanged |= countInLoop(*loop);
  return isChanged;
}

FunctionPass *createCountPointers() { return new LateRewrite<countPointers>(); }

} // namespace regrain::nvptx
