//===- SpinLoops.cpp - Loops that wait for another thread -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/SpinLoops.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/WaitingLoops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace regrain::cpu {

bool mayWaitInLoop(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return !waitingLoops(loops).empty();
}

void insertYields(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  SmallSetVector<BasicBlock *, 8> latches;
  for (Loop *loop : waitingLoops(loops)) {
    SmallVector<BasicBlock *, 4> blocks;
    loop->getLoopLatches(blocks);
    latches.insert(blocks.begin(), blocks.end());
  }
  FunctionCallee wait = waitFunction(*function.getParent());
  for (BasicBlock *latch : latches) {
    IRBuilder<> builder(latch->getTerminator());
    Value *zero = builder.getInt32(0);
    builder.CreateCall(wait,
                       {builder.getInt32(REGRAIN_YIELDED), zero, builder.getInt64(0), zero, zero});
  }
}

} // namespace regrain::cpu
