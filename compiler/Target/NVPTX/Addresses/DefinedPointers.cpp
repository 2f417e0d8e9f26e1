//===- DefinedPointers.cpp - Pointers of unknown value --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/DefinedPointers.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {

/// Returns the only argument or variable from which the defined values of `phi` are computed, if it
/// has the type of the phi; otherwise null. Both are available in every block.
static Value *originOf(PHINode &phi) {
  SmallVector<const Value *, 4> objects;
  for (Value *value : phi.incoming_values())
    if (!isa<UndefValue>(value))
      getUnderlyingObjects(value, objects);
  Value *origin = nullptr;
  for (const Value *object : objects) {
    if (isa<UndefValue>(object) || object == origin)
      continue;
    if (origin || !isa<Argument, GlobalVariable>(object) || object->getType() != phi.getType())
      return nullptr;
    origin = const_cast<Value *>(object);
  }
  return origin;
}

/// Returns another phi of the block that has the values of `phi` wherever they are defined; null if
/// there is none.
static PHINode *twinOf(PHINode &phi) {
  auto isTwin = [&](const PHINode &other) {
    return &other != &phi && other.getType() == phi.getType() &&
           all_of(phi.blocks(), [&](const BasicBlock *from) {
             const Value *value = phi.getIncomingValueForBlock(from);
             return isa<UndefValue>(value) || value == other.getIncomingValueForBlock(from);
           });
  };
  for (PHINode &other : phi.getParent()->phis())
    if (isTwin(other))
      return &other;
  return nullptr;
}

/// Returns whether anything was replaced; `phi` may be gone then.
static bool define(PHINode &phi) {
  if (none_of(phi.incoming_values(), [](const Use &value) { return isa<UndefValue>(value.get()); }))
    return false;
  if (PHINode *twin = twinOf(phi)) {
    phi.replaceAllUsesWith(twin);
    phi.eraseFromParent();
    return true;
  }
  Value *origin = originOf(phi);
  if (!origin)
    return false;
  for (Use &value : phi.incoming_values())
    if (isa<UndefValue>(value.get()))
      value.set(origin);
  return true;
}

PreservedAnalyses DefinePointers::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis()))
      if (phi.getType()->isPointerTy())
        changed |= define(phi);
  return flowPreserved(changed);
}

} // namespace regrain::nvptx
