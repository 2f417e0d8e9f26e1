//===- StagedTiles.cpp - Tiles of staging in LLVM IR ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/StagedTiles.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "runtime/image/launch_limits.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;
using namespace regrain;

bool regrain::isTile(const Value *pointer, StringRef name) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  return all_of(objects, [&](const Value *object) {
    const auto *variable = dyn_cast<GlobalVariable>(object);
    return variable && variable->getAddressSpace() == regrain::sharedSpace &&
           variable->getName().contains(stagedName) && variable->getName().contains(name);
  });
}

unsigned regrain::aheadOf(const Value *pointer) {
  StringRef name = getUnderlyingObject(pointer, 0)->getName();
  auto [before, number] = name.substr(name.find(stagedName)).split(aheadInfix);
  unsigned ahead = 0;
  return number.consumeInteger(10, ahead) || ahead == 0 ? 1 : ahead;
}

bool regrain::isCopyOfRow(const MemCpyInst &copy) {
  const auto *size = dyn_cast<ConstantInt>(copy.getLength());
  return (!size || size->getZExtValue() % widestAccess == 0) && !copy.isVolatile() &&
         isTile(copy.getRawDest(), bulkSuffix);
}
