//===- PureFunctions.cpp - Functions of their arguments alone -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/PureFunctions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"

using namespace llvm;

bool regrain::isPure(const Function &function) {
  return function.doesNotAccessMemory() && function.willReturn() && function.doesNotThrow() &&
         !function.isConvergent();
}

PreservedAnalyses regrain::MarkPureFunctions::run(Module &module, ModuleAnalysisManager &analyses) {
  DenseMap<Function *, AttributeList> before;
  for (Function &function : module)
    before[&function] = function.getAttributes();
  PreservedAnalyses preserved =
      createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()).run(module, analyses);
  for (auto &[function, attributes] : before)
    if (!isPure(*function))
      function->setAttributes(attributes);
  return preserved;
}
