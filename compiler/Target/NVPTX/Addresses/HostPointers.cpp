//===- HostPointers.cpp - Pointers in constant memory ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/HostPointers.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether an initial value has no address but those of variables in global memory.
bool namesOnlyGlobal(const Constant &value) {
  if (isa<ConstantData>(value))
    return true;
  if (isa<ConstantAggregate>(value))
    return all_of(value.operands(),
                  [](const Use &part) { return namesOnlyGlobal(*cast<Constant>(part.get())); });
  if (!value.getType()->isPointerTy())
    return false;
  auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(&value));
  return variable && variable->getAddressSpace() == globalSpace;
}

bool holdsHostPointers(const Value *object) {
  auto *variable = dyn_cast<GlobalVariable>(object);
  return variable && variable->getAddressSpace() == constantSpace && variable->hasInitializer() &&
         namesOnlyGlobal(*variable->getInitializer());
}

bool isCalled(const LoadInst &load) {
  return any_of(load.uses(), [](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use);
  });
}

bool isHostPointer(const LoadInst &load) {
  auto *type = dyn_cast<PointerType>(load.getType());
  if (!type || type->getAddressSpace() != genericSpace || isCalled(load))
    return false;
  SmallVector<const Value *> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects);
  return all_of(objects, holdsHostPointers);
}

void nameGlobal(LoadInst &load) {
  IRBuilder<> builder(load.getNextNode());
  Value *global = builder.CreateAddrSpaceCast(&load, builder.getPtrTy(globalSpace));
  Value *generic = builder.CreateAddrSpaceCast(global, load.getType());
  load.replaceUsesWithIf(generic, [&](const Use &use) { return use.getUser() != global; });
}

} // namespace

PreservedAnalyses HostPointers::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && isHostPointer(*load))
      loads.push_back(load);
  for (LoadInst *load : loads)
    nameGlobal(*load);
  if (loads.empty())
    return PreservedAnalyses::all();
  return flowPreserved(/*isChanged=*/true);
}

} // namespace regrain::nvptx
