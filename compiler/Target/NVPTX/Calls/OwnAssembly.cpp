//===- OwnAssembly.cpp - Inline PTX that a thread runs by itself ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Calls/OwnAssembly.h"

#include "compiler/DeviceIR/InlineAssembly.h"
#include "compiler/DeviceIR/PtxText.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::nvptx {

std::optional<uint64_t> sizeOfAssembly(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!assembly)
    return std::nullopt;
  return ptx::opcodesOf(assembly->getAsmString()).size();
}

std::optional<uint64_t> sizeOfOwnAssembly(const CallBase &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!assembly || !call.doesNotAccessMemory() || !onlyComputes(*assembly))
    return std::nullopt;
  return sizeOfAssembly(call);
}

bool callsFunction(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm();
}

void releaseOwnAssembly(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && sizeOfOwnAssembly(*call)) {
        call->removeFnAttr(Attribute::Convergent);
        call->addFnAttr(Attribute::WillReturn);
      }
}

} // namespace regrain::nvptx
