//===- SplitJoins.h - Fewer points where threads meet -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Where threads of a warp part on two sides that both load, meet for a few instructions, and go on
/// to a point where others meet them, gives each side its own copy of these instructions. Each
/// point where threads meet takes two instructions that wait for all of them. LLVM moves what both
/// sides have in common behind them, which saves code, but adds such a point; nvcc does not.
struct SplitJoins : llvm::PassInfoMixin<SplitJoins> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
