//===- GuardedDivisions.h - Divisions only where they are needed -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM takes the branch away from `if (k > 1) x /= k`, divides always, and selects a result. An
// exact division of floats is about ten instructions of NVIDIA's machine, with a branch to a
// function for operands that are not normal, and one of doubles is about twenty.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Computes an exact division, remainder or root of floating-point numbers behind a branch, with
/// what else only it needs, if a selection is its only use. Run this behind all passes that make
/// selections of branches.
struct GuardedDivisions : llvm::PassInfoMixin<GuardedDivisions> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
