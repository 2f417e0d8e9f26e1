//===- SignedIndices.cpp - One extension for a loop's indices -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/SignedIndices.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// What a loop extends from 32 to 64 bits.
struct Extensions {
  SmallPtrSet<const Value *, 8> isSigned;
  SmallVector<ZExtInst *> ofNonNegative;
};

Extensions extensionsOf(const Loop &loop) {
  Extensions extensions;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!instruction.getType()->isIntegerTy(64) || !isa<CastInst>(instruction) ||
          !instruction.getOperand(0)->getType()->isIntegerTy(32))
        continue;
      if (isa<SExtInst>(instruction))
        extensions.isSigned.insert(instruction.getOperand(0));
      else if (auto *zeros = dyn_cast<ZExtInst>(&instruction); zeros && zeros->hasNonNeg())
        extensions.ofNonNegative.push_back(zeros);
    }
  return extensions;
}

void extendSign(ZExtInst &zeros) {
  Value *sign = IRBuilder<>(&zeros).CreateSExt(zeros.getOperand(0), zeros.getType());
  sign->takeName(&zeros);
  zeros.replaceAllUsesWith(sign);
  zeros.eraseFromParent();
}

} // namespace

PreservedAnalyses SignedIndices::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (const Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    Extensions extensions = extensionsOf(*loop);
    if (none_of(extensions.ofNonNegative, [&](const ZExtInst *zeros) {
          return extensions.isSigned.contains(zeros->getOperand(0));
        }))
      continue;
    for (ZExtInst *zeros : extensions.ofNonNegative)
      extendSign(*zeros);
    changed = true;
  }
  return flowPreserved(changed);
}

} // namespace regrain::nvptx
