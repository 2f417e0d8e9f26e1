//===- CarryOrder.cpp - Carries between texts of assembly -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/CarryOrder.h"

#include "compiler/DeviceIR/InlineAssembly.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain {

/// The effect of a carry is one on memory that no other code can reach. So texts with carries keep
/// their order, and loads and stores move across them.
static void order(CallBase &call, const InlineAsm &text) {
  if (!text.hasSideEffects()) {
    call.setCalledOperand(InlineAsm::get(text.getFunctionType(), text.getAsmString(),
                                         text.getConstraintString(), /*hasSideEffects=*/true,
                                         text.isAlignStack(), text.getDialect(), text.canThrow()));
    call.removeFnAttr(Attribute::Memory);
  }
  if (staysFromMemory(text))
    call.setOnlyAccessesInaccessibleMemory();
}

void orderCarries(Module &device) {
  for (Function &function : device)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (text && sharesCarries(*text))
        order(*call, *text);
    }
}

} // namespace regrain
