//===- AddressChains.cpp - Addresses of many steps ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/AddressChains.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// LLVM follows six steps. One is left for the offset of a neighbour, and one for a constant that
/// later passes split off.
constexpr unsigned mostSteps = 4;

/// Returns whether LLVM finds the object that an address and its neighbours point into.
bool isShort(const Value *address) {
  const Value *reached = getUnderlyingObject(address, mostSteps);
  return reached == getUnderlyingObject(reached, /*MaxLookup=*/1);
}

/// Returns the step in front of one, whose offset may be added to it; null if there is none.
GetElementPtrInst *mergeable(GetElementPtrInst &step) {
  auto *before = dyn_cast<GetElementPtrInst>(step.getPointerOperand());
  bool isMergeable = before && before->hasOneUse() && before->getParent() == step.getParent() &&
                     !before->getType()->isVectorTy() && !step.getType()->isVectorTy() &&
                     !before->hasAllConstantIndices() && !step.hasAllConstantIndices();
  return isMergeable ? before : nullptr;
}

/// Makes one step of `last` and those in front of it. Returns the new one.
Value *merge(GetElementPtrInst &last, const DataLayout &layout) {
  IRBuilder<> builder(&last);
  SmallVector<GetElementPtrInst *> merged = {&last};
  Value *offset = nullptr;
  for (GetElementPtrInst *before = mergeable(last); before; before = mergeable(*before))
    merged.push_back(before);
  for (GetElementPtrInst *one : reverse(merged)) {
    Value *own = emitGEPOffset(&builder, layout, one);
    offset = offset ? builder.CreateAdd(offset, own) : own;
  }
  Value *base = merged.back()->getPointerOperand();
  Value *whole = builder.CreatePtrAdd(base, offset, last.getName());
  last.replaceAllUsesWith(whole);
  for (GetElementPtrInst *one : merged)
    one->eraseFromParent();
  return whole;
}

bool shorten(Value *address, const DataLayout &layout) {
  bool isChanged = false;
  while (auto *step = dyn_cast<GetElementPtrInst>(address)) {
    if (mergeable(*step)) {
      step = cast<GetElementPtrInst>(merge(*step, layout));
      isChanged = true;
    }
    address = step->getPointerOperand();
  }
  return isChanged;
}

} // namespace

PreservedAnalyses regrain::nvptx::ShortenAddressChains::run(Function &function,
                                                            FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &instruction : instructions(function))
    if (Value *address = getLoadStorePointerOperand(&instruction); address && !isShort(address))
      isChanged |= shorten(address, function.getDataLayout());
  return flowPreserved(isChanged);
}
