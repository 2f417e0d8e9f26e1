//===- ReplaceCalls.h - Calls whose value is known --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace regrain {

/// Replaces each call of the function for which `valueOf` returns a value, and removes it.
/// `valueOf` returns null for a call that stays, and may insert instructions in front of the call,
/// but no blocks. Returns what a pass preserves that does no more.
llvm::PreservedAnalyses replaceCalls(llvm::Function &function,
                                     llvm::function_ref<llvm::Value *(llvm::CallInst &)> valueOf);

} // namespace regrain
