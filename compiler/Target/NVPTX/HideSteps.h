//===- HideSteps.h - Addresses that advance together -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that reads a grid at `base + i * stride` and at many distances from there, none of which
// is a constant, has one address that advances, and an addition for each of the others. LLVM's
// strength reduction lets each of them advance by itself, and if they are many, it keeps what they
// have in common apart and adds it again in front of each access.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Freezes the index that grows by a step which is not constant if many addresses of the loop start
/// at the address with this index: strength reduction then lets that one advance alone, and no
/// instruction results. Run this behind all passes that simplify addresses.
struct HideSteps : llvm::PassInfoMixin<HideSteps> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
