//===- SpacedLoads.h - Loads from different memories ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `inside ? tile[x] : in[y]` loads from shared or from global memory. LLVM joins two loads at the
// end of both sides of a branch to one, of an address that is selected. It does not know what
// memories these are, because it infers that only when it generates code. By then the access is a
// generic one, for which the machine finds out at run time what memory is meant, and the load from
// global memory is no longer known to be of memory that is never written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Names the memories of a function in which a block follows two others that load from different
/// ones, so that these loads stay apart.
class KeepSpacedLoads : public llvm::PassInfoMixin<KeepSpacedLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
