//===- LoopRests.cpp - The rest of an inner loop's iterations -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/LoopRests.h"

#include "compiler/Target/NVPTX/Memory/Polls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// Returns whether the loop loads, and one around it has a fence. A load that is not in an inner
/// loop may then count as polled (Polls.h).
static bool mayLoadByFence(const Loop &loop) {
  auto reads = [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) { return inst.mayReadFromMemory(); });
  };
  return any_of(loop.blocks(), reads) &&
         any_of(loop.getOutermostLoop()->blocks(),
                [](const BasicBlock *block) { return any_of(*block, regrain::nvptx::isFence); });
}

/// LLVM's pass unrolls a loop that is marked as this one by its bound, if the loop has one.
PreservedAnalyses regrain::nvptx::UnrollRests::run(Function &function,
                                                   FunctionAnalysisManager &analyses) {
  bool isAsked = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && getBooleanLoopAttribute(loop, unrolledRest) &&
        !mayLoadByFence(*loop)) {
      addStringMetadataToLoop(loop, "llvm.loop.unroll.enable", 1);
      isAsked = true;
    }
  if (!isAsked)
    return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2, /*OnlyWhenForced=*/true)
                                    .setPartial(false)
                                    .setRuntime(false)
                                    .setPeeling(false)));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(EarlyCSEPass());
  return passes.run(function, analyses);
}
