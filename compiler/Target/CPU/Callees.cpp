//===- Callees.cpp - What a kernel may call -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Callees.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::cpu {

/// Adds the functions that `function` may call.
static void addCallees(Function &function, Functions &reached) {
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || call->isInlineAsm())
      continue;
    if (Function *callee = call->getCalledFunction()) {
      if (!callee->isDeclaration())
        reached.insert(callee);
      continue;
    }
    for (Function &other : *function.getParent())
      if (!other.isDeclaration() && other.hasAddressTaken())
        reached.insert(&other);
  }
}

Functions calledFrom(Function &kernel) {
  Functions reached;
  reached.insert(&kernel);
  for (size_t i = 0; i < reached.size(); ++i)
    addCallees(*reached[i], reached);
  return reached;
}

} // namespace regrain::cpu
