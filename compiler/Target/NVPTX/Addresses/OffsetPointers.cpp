//===- OffsetPointers.cpp - Loop pointers with one offset -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/OffsetPointers.h"
#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// A pointer that the loop increments, and the addresses at one offset from it.
struct OffsetPointer {
  PHINode *pointer;
  Value *offset;
  SmallVector<GetElementPtrInst *, 4> addresses;
};

/// Returns whether the value is a sum in bytes that begins at `pointer`.
GetElementPtrInst *sumFrom(const PHINode &pointer, User *user) {
  auto *sum = dyn_cast<GetElementPtrInst>(user);
  bool isSum = sum && sum->getPointerOperand() == &pointer && sum->getNumIndices() == 1 &&
               sum->getSourceElementType()->isIntegerTy(8);
  return isSum ? sum : nullptr;
}

/// Returns the pointer with its addresses if the loop uses it for nothing else, and increments it
/// by the same step in each iteration.
std::optional<OffsetPointer> describe(PHINode &pointer, const Loop &loop) {
  if (!pointer.getType()->isPointerTy() || pointer.getNumIncomingValues() != 2)
    return std::nullopt;
  const Value *next = pointer.getIncomingValueForBlock(loop.getLoopLatch());
  OffsetPointer found = {&pointer, nullptr, {}};
  bool isIncremented = false;
  for (User *user : pointer.users()) {
    GetElementPtrInst *sum = sumFrom(pointer, user);
    if (!sum || !loop.contains(sum))
      return std::nullopt;
    Value *distance = sum->getOperand(1);
    if (!loop.isLoopInvariant(distance))
      return std::nullopt;
    if (sum == next) {
      isIncremented = sum->hasOneUse();
      continue;
    }
    if (isa<Constant>(distance) || (found.offset && found.offset != distance))
      return std::nullopt;
    found.offset = distance;
    found.addresses.push_back(sum);
  }
  return found.offset && isIncremented ? std::optional(found) : std::nullopt;
}

/// Moves the offset in front of the loop. The sums are those of before in another order, so nothing
/// is known any more of where they wrap around.
void offset(const OffsetPointer &found, const Loop &loop) {
  BasicBlock *before = loop.getLoopPredecessor();
  IRBuilder<> builder(before->getTerminator());
  int entry = found.pointer->getBasicBlockIndex(before);
  found.pointer->setIncomingValue(
      entry, builder.CreatePtrAdd(found.pointer->getIncomingValue(entry), found.offset));
  auto *next =
      cast<GetElementPtrInst>(found.pointer->getIncomingValueForBlock(loop.getLoopLatch()));
  next->setNoWrapFlags(GEPNoWrapFlags::none());
  for (GetElementPtrInst *address : found.addresses) {
    address->replaceAllUsesWith(found.pointer);
    address->eraseFromParent();
  }
}

bool offsetInLoop(const Loop &loop) {
  SmallVector<OffsetPointer> all;
  if (loop.getLoopPredecessor() && loop.getLoopLatch())
    for (PHINode &phi : loop.getHeader()->phis())
      if (std::optional<OffsetPointer> found = describe(phi, loop))
        all.push_back(*found);
  for (const OffsetPointer &found : all)
    offset(found, loop);
  return !all.empty();
}

} // namespace

bool offsetPointers(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool isChanged = false;
  for (const Loop *loop : loops.getLoopsInPreorder())
    isChanged |= offsetInLoop(*loop);
  return isChanged;
}

FunctionPass *createOffsetPointers() { return new LateRewrite<offsetPointers>(); }

} // namespace regrain::nvptx
