//===- Communication.cpp - What may see other threads' actions ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Waiting/Communication.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::waiting {

Partners Communication::partnersOfCall(const CallBase &call) const {
  if (call.isInlineAsm() || !call.getCalledFunction())
    return Partners::All;
  const Function &callee = *call.getCalledFunction();
  return callee.isDeclaration() ? machine.partnersOf(call) : partnersOf(callee);
}

Partners Communication::partnersOf(const Instruction &inst) const {
  if (auto *call = dyn_cast<CallBase>(&inst); call && !isa<MemIntrinsic>(call))
    return partnersOfCall(*call);
  if (auto *fence = dyn_cast<FenceInst>(&inst))
    return fence->getSyncScopeID() == SyncScope::SingleThread ? Partners::None : Partners::All;
  if (!inst.isAtomic() && !inst.isVolatile())
    return Partners::None;
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return machine.partnersAt(*update->getPointerOperand());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return machine.partnersAt(*exchange->getPointerOperand());
  const Value *pointer = getLoadStorePointerOperand(&inst);
  return pointer ? machine.partnersAt(*pointer) : Partners::All;
}

Communication::Communication(Module &module, const Machine &machine) : machine(machine) {
  Calls calls(module);
  for (Function &function : module)
    if (!function.isDeclaration())
      reached[&function] = calls.calledFrom(function);
  for (auto &[function, called] : reached)
    if (called.contains(function))
      recursive.insert(function);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[function, called] : reached) {
      Partners most = partnersOf(*function);
      for (Instruction &inst : instructions(*function))
        most = std::max(most, partnersOf(inst));
      changed |= most != std::exchange(partners[function], most);
    }
  }
}

} // namespace regrain::waiting
