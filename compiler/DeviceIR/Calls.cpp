//===- Calls.cpp - Which functions call which -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/Calls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain {

const FunctionSet &Calls::behindPointers() {
  if (!taken) {
    taken.emplace();
    for (Function &function : module)
      if (!function.isDeclaration() && function.hasAddressTaken())
        taken->insert(&function);
  }
  return *taken;
}

const FunctionSet &Calls::calleesOf(Function &function) {
  auto [known, isNew] = callees.try_emplace(&function);
  if (!isNew)
    return known->second;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm())
      continue;
    Function *callee = call->getCalledFunction();
    if (!callee)
      known->second.insert(behindPointers().begin(), behindPointers().end());
    else if (!callee->isDeclaration())
      known->second.insert(callee);
  }
  return known->second;
}

FunctionSet Calls::calledFrom(Function &function) {
  FunctionSet all = calleesOf(function);
  for (size_t i = 0; i < all.size(); ++i) {
    const FunctionSet &next = calleesOf(*all[i]);
    all.insert(next.begin(), next.end());
  }
  return all;
}

} // namespace regrain
