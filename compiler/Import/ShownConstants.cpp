//===- ShownConstants.cpp - Constants that are known by address -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/ShownConstants.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// Returns whether `pointer` is null or points to `constant`, whichever path is taken.
bool isWithin(const Value &pointer, const GlobalVariable &constant) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(&pointer, objects);
  return all_of(objects, [&](const Value *object) {
    return object == &constant || isa<ConstantPointerNull>(object);
  });
}

/// Returns whether a use of the address reveals more than the contents of the constant.
bool isSeenBy(const Use &use, const GlobalVariable &constant) {
  const User *user = use.getUser();
  if (auto *variable = dyn_cast<GlobalVariable>(user))
    return !variable->getName().starts_with("llvm.");
  if (auto *comparison = dyn_cast<ICmpInst>(user))
    return !isWithin(*comparison->getOperand(1 - use.getOperandNo()), constant);
  if (auto *copy = dyn_cast<MemTransferInst>(user))
    return copy->isVolatile() || &use != &copy->getRawSourceUse();
  if (auto *call = dyn_cast<CallBase>(user))
    return !call->isDataOperand(&use) || !call->doesNotCapture(call->getDataOperandNo(&use));
  return !isa<LoadInst>(user);
}

/// Returns whether the program may see the address of `constant`.
bool isShown(const GlobalVariable &constant) {
  SmallSetVector<const Value *, 16> pointers;
  pointers.insert(&constant);
  for (size_t i = 0; i < pointers.size(); ++i)
    for (const Use &use : pointers[i]->uses()) {
      const User *user = use.getUser();
      bool isPointer =
          isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, PHINode, SelectInst>(user) ||
          (isa<ConstantAggregate>(user) && !user->use_empty());
      if (isPointer)
        pointers.insert(user);
      else if (isSeenBy(use, constant))
        return true;
    }
  return false;
}

} // namespace

/// Returns whether the initial value of another variable contains the address.
static bool isHeld(const Constant &constant) {
  return any_of(constant.users(), [](const User *user) {
    auto *variable = dyn_cast<GlobalVariable>(user);
    return variable ? !variable->getName().starts_with("llvm.")
                    : isa<Constant>(user) && isHeld(*cast<Constant>(user));
  });
}

void regrain::keepHeldAddresses(Module &module) {
  for (GlobalVariable &global : module.globals())
    if (global.hasGlobalUnnamedAddr() && isHeld(global))
      global.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
}

SetVector<const GlobalVariable *> regrain::findShownConstants(const Module &module) {
  SetVector<const GlobalVariable *> shown;
  for (const GlobalVariable &global : module.globals())
    if (global.isConstant() && global.hasInitializer() && !global.hasGlobalUnnamedAddr() &&
        global.getAddressSpace() != sharedSpace && isShown(global))
      shown.insert(&global);
  return shown;
}
