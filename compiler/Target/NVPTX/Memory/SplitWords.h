//===- SplitWords.h - Words that are used by halves -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of float2 is a word of 64 bits (WideCopies.h). Where both halves are used, LLVM's
// selection of instructions narrows the load to two loads of 32 bits. The machine loads a pair.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Makes pairs of 32 bits of aligned words of 64 bits that are loaded and of which only the two
/// halves are used, both of them. Volatile and atomic loads stay.
class SplitWords : public llvm::PassInfoMixin<SplitWords> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
