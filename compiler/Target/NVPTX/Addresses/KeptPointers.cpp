//===- KeptPointers.cpp - Pointers that strength reduction keeps ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/KeptPointers.h"
#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr StringLiteral hiddenName = "row.kept";

bool isLoop(const BasicBlock &block) { return is_contained(successors(&block), &block); }

/// Returns the distance by which the pointer steps in its loop of one block, in one or several
/// additions of the same number, and the number of these; null if it steps in another way.
std::pair<const Value *, unsigned> stepOf(const PHINode &pointer) {
  const BasicBlock &block = *pointer.getParent();
  const Value *distance = nullptr;
  unsigned steps = 0;
  for (const Value *at = pointer.getIncomingValueForBlock(&block); at != &pointer; ++steps) {
    auto *address = dyn_cast<GetElementPtrInst>(at);
    if (!address || address->getParent() != &block || address->getNumIndices() != 1 ||
        !address->getSourceElementType()->isIntegerTy(8))
      return {};
    const Value *own = address->getOperand(1);
    auto *computed = dyn_cast<Instruction>(own);
    if (isa<Constant>(own) || (distance && own != distance) ||
        (computed && computed->getParent() == &block))
      return {};
    distance = own;
    at = address->getPointerOperand();
  }
  return {distance, steps};
}

} // namespace

bool hideRowPointers(Function &function) {
  bool isChanged = false;
  for (BasicBlock &block : function) {
    if (!isLoop(block))
      continue;
    MapVector<std::pair<const Value *, unsigned>, SmallVector<PHINode *>> byStep;
    for (PHINode &phi : block.phis())
      if (phi.getType()->isPointerTy() && phi.getNumIncomingValues() == 2)
        if (auto step = stepOf(phi); step.first)
          byStep[step].push_back(&phi);
    for (auto &[step, pointers] : byStep) {
      bool isKept = pointers.size() > 1 || step.second > 1;
      if (!isKept)
        continue;
      for (PHINode *pointer : pointers) {
        auto *hidden = new FreezeInst(pointer, hiddenName, block.getFirstInsertionPt());
        pointer->replaceUsesWithIf(hidden, [&](Use &use) { return use.getUser() != hidden; });
        isChanged = true;
      }
    }
  }
  return isChanged;
}

bool showRowPointers(Function &function) {
  SmallVector<FreezeInst *> hidden;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *freeze = dyn_cast<FreezeInst>(&instruction);
          freeze && freeze->getName().starts_with(hiddenName))
        hidden.push_back(freeze);
  for (FreezeInst *freeze : hidden) {
    freeze->replaceAllUsesWith(freeze->getOperand(0));
    freeze->eraseFromParent();
  }
  return !hidden.empty();
}

FunctionPass *createHideRowPointers() { return new LateRewrite<hideRowPointers>(); }
FunctionPass *createShowRowPointers() { return new LateRewrite<showRowPointers>(); }

} // namespace regrain::nvptx
