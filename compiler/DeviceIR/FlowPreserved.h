//===- FlowPreserved.h - What a pass over instructions keeps ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Returns the analyses that are still right after a pass that adds, removes or changes
/// instructions, but no basic block and no branch. If it changed nothing, these are all.
inline llvm::PreservedAnalyses flowPreserved(bool isChanged) {
  if (!isChanged)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace regrain
