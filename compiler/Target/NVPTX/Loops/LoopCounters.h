//===- LoopCounters.h - What counts the iterations of a loop ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM unrolls a loop of unknown length with a counter of its own, which goes from zero to a limit.
// The counter and the limit hold a register each, and the program's own counter a third one if the
// rest of the iterations begins with it. nvcc counts the limit down to zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Behind a loop that ends when a counter from zero has reached a limit, replaces other counters
/// from zero with the same step by the limit. For behind unrolling.
class UseLimits : public llvm::PassInfoMixin<UseLimits> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Lets counters from zero that only decide when their loop ends go from their limit to zero.
/// Returns whether the function has changed.
bool countDown(llvm::Function &function);

/// Returns a pass over LLVM IR that does so, for behind strength reduction.
llvm::FunctionPass *createCountDown();

} // namespace regrain::nvptx
