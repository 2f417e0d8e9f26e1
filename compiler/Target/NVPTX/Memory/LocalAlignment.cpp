//===- LocalAlignment.cpp - Where the arrays of a thread lie --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/LocalAlignment.h"

#include "runtime/image/launch_limits.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"

using namespace llvm;

PreservedAnalyses regrain::nvptx::AlignLocals::run(Function &function,
                                                   FunctionAnalysisManager &analyses) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  bool isChanged = false;
  for (Instruction &instruction : function.getEntryBlock()) {
    auto *array = dyn_cast<AllocaInst>(&instruction);
    if (!array || !array->isStaticAlloca() || array->getAlign() >= Align(widestAccess))
      continue;
    std::optional<TypeSize> size = array->getAllocationSize(layout);
    if (!size || size->getFixedValue() < widestAccess)
      continue;
    array->setAlignment(Align(widestAccess));
    isChanged = true;
  }
  return isChanged ? InferAlignmentPass().run(function, analyses) : PreservedAnalyses::all();
}
