//===- SplitIndices.cpp - Constant parts of many indices ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/SplitIndices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"

using namespace llvm;

PreservedAnalyses regrain::nvptx::SplitIndices::run(Function &function,
                                                    FunctionAnalysisManager &analyses) {
  size_t addresses = count_if(instructions(function), [](const Instruction &instruction) {
    return isa<GetElementPtrInst>(instruction);
  });
  if (addresses < manyAddresses)
    return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(SeparateConstOffsetFromGEPPass());
  passes.addPass(EarlyCSEPass());
  return passes.run(function, analyses);
}
