//===- LargeConstants.cpp - Constants beyond constant memory --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/LargeConstants.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace regrain {
namespace {

constexpr uint64_t constantBytes = 64 * 1024;

uint64_t bytesOf(const GlobalVariable &variable) {
  return variable.getDataLayout().getTypeAllocSize(variable.getValueType());
}

/// Returns whether `value` is the generic address of a variable.
bool isGenericAddress(const User *value) {
  auto *cast = dyn_cast<ConstantExpr>(value);
  return cast && cast->getOpcode() == Instruction::AddrSpaceCast &&
         cast->getType()->getPointerAddressSpace() == genericSpace;
}

void moveToGlobalMemory(GlobalVariable &variable) {
  auto *moved = new GlobalVariable(
      *variable.getParent(), variable.getValueType(), variable.isConstant(), variable.getLinkage(),
      variable.getInitializer(), "", &variable, variable.getThreadLocalMode(), globalSpace);
  moved->copyAttributesFrom(&variable);
  moved->copyMetadata(&variable, /*Offset=*/0);
  moved->takeName(&variable);
  for (User *user : make_early_inc_range(variable.users())) {
    auto *address = cast<ConstantExpr>(user);
    address->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(moved, address->getType()));
    address->destroyConstant();
  }
  variable.eraseFromParent();
}

} // namespace

void moveLargeConstants(Module &module, bool isRelocatable) {
  uint64_t bytes = 0;
  SmallVector<GlobalVariable *> movable;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != constantSpace || variable.isDeclaration())
      continue;
    bytes += bytesOf(variable);
    variable.removeDeadConstantUsers();
    // The program may write one that is not const.
    bool mayMove = variable.isConstant() && (!isRelocatable || variable.hasLocalLinkage());
    if (mayMove && all_of(variable.users(), isGenericAddress))
      movable.push_back(&variable);
  }
  sort(movable, [](const GlobalVariable *left, const GlobalVariable *right) {
    uint64_t leftBytes = bytesOf(*left), rightBytes = bytesOf(*right);
    return leftBytes != rightBytes ? leftBytes > rightBytes : left->getName() < right->getName();
  });
  for (GlobalVariable *variable : movable) {
    if (bytes <= constantBytes)
      break;
    bytes -= bytesOf(*variable);
    moveToGlobalMemory(*variable);
  }
}

} // namespace regrain
