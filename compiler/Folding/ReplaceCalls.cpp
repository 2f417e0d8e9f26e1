//===- ReplaceCalls.cpp - Calls whose value is known ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folding/ReplaceCalls.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

PreservedAnalyses regrain::replaceCalls(Function &function,
                                        function_ref<Value *(CallInst &)> valueOf) {
  bool isChanged = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Value *value = call ? valueOf(*call) : nullptr;
    if (!value)
      continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
    isChanged = true;
  }
  return flowPreserved(isChanged);
}
