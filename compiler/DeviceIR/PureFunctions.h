//===- PureFunctions.h - Functions of their arguments alone -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain {

/// Returns whether the function is known to depend on its arguments alone, and to have no other
/// effect than its result.
[[nodiscard]] bool isPure(const llvm::Function &function);

/// Marks the functions whose result depends on their arguments alone, and that have no other
/// effect: they access no memory, return, and are not convergent. Equal calls of them are one call
/// for LLVM. Nothing is said of other functions, because analyses of grain IR classify these by
/// what the program says.
class MarkPureFunctions : public llvm::PassInfoMixin<MarkPureFunctions> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace regrain
