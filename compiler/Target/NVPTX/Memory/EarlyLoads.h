//===- EarlyLoads.h - Loads in front of guarded parts -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of a tiled convolution loads its own element, and the first ones load the edge of the
// tile as well, under a condition in front of it. The load behind the guarded part does not depend
// on it, but ptxas moves no load over a branch: each warp waits for the condition, and those that
// load twice for one load after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Outside of loops, moves loads that stand first behind a guarded part in front of its condition,
/// if the part loads as well, all threads come to the load, and nothing in between writes what is
/// loaded.
struct EarlyLoads : llvm::PassInfoMixin<EarlyLoads> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
