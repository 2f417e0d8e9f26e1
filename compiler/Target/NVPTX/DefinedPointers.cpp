//===- DefinedPointers.cpp - Pointers of unknown value --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/DefinedPointers.h"

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

/// Returns whether anything was replaced.
static bool define(PHINode &phi) {
  bool isUndefined =
      any_of(phi.incoming_values(), [](const Use &value) { return isa<UndefValue>(value.get()); });
  Value *origin = isUndefined ? originOf(phi) : nullptr;
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
    for (PHINode &phi : block.phis())
      if (phi.getType()->isPointerTy())
        changed |= define(phi);
  return flowPreserved(changed);
}

} // namespace regrain::nvptx
