//===- KeptBlocks.h - Passes that keep all blocks ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Analysis.h"

namespace regrain::nvptx {

/// Returns which analyses are still right behind a pass that changes instructions, and neither
/// blocks nor their edges.
inline llvm::PreservedAnalyses preservedWithBlocks(bool isChanged) {
  if (!isChanged)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace regrain::nvptx
