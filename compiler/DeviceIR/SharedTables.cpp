//===- SharedTables.cpp - Constants with addresses of a block -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/SharedTables.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include <functional>

using namespace llvm;

namespace regrain {

static bool namesShared(const Constant &constant) {
  if (auto *variable = dyn_cast<GlobalVariable>(&constant))
    return variable->getAddressSpace() == sharedSpace;
  return any_of(constant.operands(), [](const Use &operand) {
    auto *part = dyn_cast<Constant>(operand);
    return part && !isa<Function>(part) && namesShared(*part);
  });
}

/// Returns the functions that use the variable; nothing if anything else does.
static SetVector<Function *> usersOf(GlobalVariable &table) {
  SetVector<Function *> functions;
  for (User *user : table.users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      functions.insert(instruction->getFunction());
    else
      return {};
  return functions;
}

/// Makes local memory with the contents of the table, at the function's entry.
static Value *createCopy(GlobalVariable &table, Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *copy = builder.CreateAlloca(table.getValueType(), layout.getAllocaAddrSpace());
  copy->setAlignment(std::max(copy->getAlign(), table.getAlign().valueOrOne()));
  // Element by element, so that no part of the value is a constant with the addresses again.
  std::function<void(Constant *, SmallVector<Value *>)> store = [&](Constant *part,
                                                                    SmallVector<Value *> indices) {
    Type *type = part->getType();
    unsigned count = isa<StructType>(type)  ? cast<StructType>(type)->getNumElements()
                     : isa<ArrayType>(type) ? cast<ArrayType>(type)->getNumElements()
                                            : 0;
    if (count == 0 && !type->isAggregateType())
      builder.CreateStore(part, builder.CreateInBoundsGEP(table.getValueType(), copy, indices));
    for (unsigned index = 0; index < count; ++index) {
      SmallVector<Value *> inner = indices;
      inner.push_back(builder.getInt32(index));
      store(part->getAggregateElement(index), inner);
    }
  };
  store(table.getInitializer(), {builder.getInt32(0)});
  return builder.CreateAddrSpaceCast(copy, table.getType());
}

bool storeSharedTables(Module &module) {
  SmallVector<GlobalVariable *> tables;
  for (GlobalVariable &variable : module.globals())
    if (variable.isConstant() && variable.hasLocalLinkage() && variable.hasInitializer() &&
        namesShared(*variable.getInitializer()))
      tables.push_back(&variable);
  for (GlobalVariable *table : tables) {
    convertUsersOfConstantsToInstructions({table});
    table->removeDeadConstantUsers();
    for (Function *function : usersOf(*table)) {
      Value *copy = createCopy(*table, *function);
      table->replaceUsesWithIf(copy, [&](Use &use) {
        return cast<Instruction>(use.getUser())->getFunction() == function;
      });
    }
    if (table->use_empty())
      table->eraseFromParent();
  }
  return !tables.empty();
}

} // namespace regrain
