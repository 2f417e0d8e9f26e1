//===- Restrict.cpp - __restrict__ between threads ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/Restrict.h"

#include "compiler/DeviceIR/ComparedAddresses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

//===----------------------------------------------------------------------===//
// Functions that may see what other threads wrote
//===----------------------------------------------------------------------===//

/// Returns whether LLVM would keep `call` in order with accesses to memory that the call is not
/// given: barriers and fences, assembly, calls through pointers. LLVM respects ordered atomic
/// operations whatever `noalias` says.
bool ordersMemory(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (callee && !callee->isIntrinsic())
    return false; // examined where it is defined; functions of the device's library order nothing
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return false;
  return !call.onlyAccessesInaccessibleMemOrArgMem();
}

bool ordersMemory(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return isa<FenceInst>(instruction) || (call && ordersMemory(*call));
  });
}

using Functions = SmallPtrSet<const Function *, 32>;

/// Returns the functions that order memory, directly or in what they call.
Functions functionsThatOrderMemory(const Module &module) {
  Functions found;
  SmallVector<const Function *> open;
  auto add = [&](const Function &function) {
    if (found.insert(&function).second)
      open.push_back(&function);
  };
  for (const Function &function : module)
    if (ordersMemory(function))
      add(function);
  while (!open.empty())
    for (const User *user : open.pop_back_val()->users())
      if (auto *call = dyn_cast<CallBase>(user))
        add(*call->getFunction());
  return found;
}

//===----------------------------------------------------------------------===//
// Pointers through which memory is written
//===----------------------------------------------------------------------===//

/// Returns whether the value is a local variable that is only stored and loaded as a whole.
bool isPlainVariable(const Value &value) {
  return isa<AllocaInst>(value) && all_of(value.users(), [&](const User *user) {
           auto *store = dyn_cast<StoreInst>(user);
           auto *intrinsic = dyn_cast<IntrinsicInst>(user);
           return isa<LoadInst>(user) || (store && store->getPointerOperand() == &value) ||
                  (intrinsic && intrinsic->isAssumeLikeIntrinsic());
         });
}

/// Follows one pointer through variables, arithmetic and calls.
class WrittenThrough {
public:
  bool operator()(const Value &pointer) {
    return seen.insert(&pointer).second &&
           any_of(pointer.uses(), [this](const Use &use) { return byUse(use); });
  }

private:
  bool byUse(const Use &use) {
    const User *user = use.getUser();
    if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, PHINode, SelectInst, FreezeInst>(
            user))
      return (*this)(*user);
    if (auto *store = dyn_cast<StoreInst>(user))
      return byStore(*store, *use.get());
    if (auto *call = dyn_cast<CallBase>(user))
      return byCall(*call, use);
    if (auto *number = dyn_cast<PtrToIntInst>(user))
      return !regrain::isOnlyCompared(*number);
    return !isa<LoadInst, ICmpInst>(user);
  }

  bool byStore(const StoreInst &store, const Value &pointer) {
    const Value &place = *store.getPointerOperand();
    if (&place == &pointer || !isPlainVariable(place))
      return true;
    return any_of(place.users(),
                  [this](const User *user) { return isa<LoadInst>(user) && (*this)(*user); });
  }

  bool byCall(const CallBase &call, const Use &use) {
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
        intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return false;
    if (!call.isArgOperand(&use))
      return true;
    unsigned number = call.getArgOperandNo(&use);
    const Function *callee = call.getCalledFunction();
    if (callee && !callee->isDeclaration() && number < callee->arg_size())
      return (*this)(*callee->getArg(number));
    return !call.onlyReadsMemory(number) || !call.doesNotCapture(number);
  }

  SmallPtrSet<const Value *, 32> seen;
};

} // namespace

void regrain::keepRestrictToOneThread(Module &module) {
  for (const Function *function : functionsThatOrderMemory(module))
    for (Argument &argument : const_cast<Function *>(function)->args())
      if (argument.hasNoAliasAttr() && !argument.hasStructRetAttr() && WrittenThrough()(argument))
        argument.removeAttr(Attribute::NoAlias);
}
