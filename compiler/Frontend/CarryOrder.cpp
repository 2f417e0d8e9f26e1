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

void orderCarries(Module &device) {
  for (Function &function : device)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!text || text->hasSideEffects() || !sharesCarries(*text))
        continue;
      call->setCalledOperand(InlineAsm::get(
          text->getFunctionType(), text->getAsmString(), text->getConstraintString(),
          /*hasSideEffects=*/true, text->isAlignStack(), text->getDialect(), text->canThrow()));
      call->removeFnAttr(Attribute::Memory);
    }
}

} // namespace regrain
