//===- SelectedMemories.h - Loads from one of two memories ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes one load of `inside ? tile[x] : in[y]`, from a selected generic address. The machine
// then finds out at run time which memory it is, and the load goes through no read-only cache.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Makes two loads behind a branch of a load whose address is selected between shared memory and
/// one that is not known to be shared, or two at the ends of the branches that chose it. The load
/// of shared memory names it, so that LLVM does not join the loads again. Volatile and atomic loads
/// stay, and those from a selected null or number. Run this where LLVM may have joined loads.
struct SelectedMemories : llvm::PassInfoMixin<SelectedMemories> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
