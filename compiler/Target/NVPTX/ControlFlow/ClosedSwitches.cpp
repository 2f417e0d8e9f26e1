//===- ClosedSwitches.cpp - Switches with unreachable defaults ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/ClosedSwitches.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Returns whether the block does nothing before it ends the program.
static bool isUnreachable(const BasicBlock &block) {
  return isa<UnreachableInst>(block.getFirstNonPHIOrDbg());
}

/// Replaces an unreachable default; returns true if it did.
static bool close(SwitchInst &selection) {
  BasicBlock *nowhere = selection.getDefaultDest();
  if (selection.getNumCases() == 0 || !isUnreachable(*nowhere))
    return false;
  auto last = std::prev(selection.case_end());
  nowhere->removePredecessor(selection.getParent());
  selection.setDefaultDest(last->getCaseSuccessor());
  selection.removeCase(last);
  return true;
}

void regrain::nvptx::closeSwitches(Module &module) {
  for (Function &function : module) {
    bool changed = false;
    for (BasicBlock &block : function)
      if (auto *selection = dyn_cast<SwitchInst>(block.getTerminator()))
        changed |= close(*selection);
    if (changed)
      EliminateUnreachableBlocks(function);
  }
}
