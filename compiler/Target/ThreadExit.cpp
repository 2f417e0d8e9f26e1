//===- ThreadExit.cpp - The PTX instruction exit --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/ThreadExit.h"

#include "compiler/DeviceIR/PtxText.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain {
namespace {

bool isExit(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!assembly || !call->getType()->isVoidTy())
    return false;
  SmallVector<StringRef> opcodes = ptx::opcodesOf(assembly->getAsmString());
  return opcodes.size() == 1 && opcodes[0] == "exit" &&
         !StringRef(assembly->getAsmString()).contains('@');
}

Instruction *exitIn(Function &function) {
  for (Instruction &inst : instructions(function))
    if (isExit(inst))
      return &inst;
  return nullptr;
}

/// Returns the calls of `function`, or nothing if it has other uses or calls itself.
std::optional<SmallVector<CallInst *>> callsOf(Function &function) {
  SmallVector<CallInst *> calls;
  for (User *user : function.users()) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != &function || call->getFunction() == &function)
      return std::nullopt;
    calls.push_back(call);
  }
  return calls;
}

void returnAt(Instruction &exit) {
  SplitBlock(exit.getParent(), &exit);
  // The block before the split ends by a branch to the rest.
  BasicBlock *rest = exit.getParent(), *before = rest->getSinglePredecessor();
  before->getTerminator()->eraseFromParent();
  ReturnInst::Create(before->getContext(), before);
  exit.eraseFromParent();
  if (pred_empty(rest))
    DeleteDeadBlock(rest);
}

} // namespace

void returnAtExits(Module &module) {
  SetVector<Function *> pending;
  SmallPtrSet<Function *, 8> kept;
  for (Function &function : module)
    if (exitIn(function))
      pending.insert(&function);
  while (!pending.empty()) {
    Function *function = pending.pop_back_val();
    std::optional<SmallVector<CallInst *>> calls = callsOf(*function);
    if (!calls || kept.contains(function))
      continue;
    if (calls->empty() && function->getReturnType()->isVoidTy()) {
      while (Instruction *exit = exitIn(*function))
        returnAt(*exit);
      continue;
    }
    for (CallInst *call : *calls) {
      Function *caller = call->getFunction();
      InlineFunctionInfo info;
      if (InlineFunction(*call, info).isSuccess())
        pending.insert(caller);
    }
    // Each function is inlined once, so that mutual recursion ends.
    kept.insert(function);
  }
}

} // namespace regrain
