//===- FoldPowers.h - Powers of constants -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Replaces powers of constants, such as pow(0.5, 23.0) in a macro, by their value. The host
/// computes it in double precision, as nvcc does. libdevice has the power in a function that is not
/// inlined, so LLVM does not fold it. A power that is no normal number stays a call.
struct FoldPowers : llvm::PassInfoMixin<FoldPowers> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain
