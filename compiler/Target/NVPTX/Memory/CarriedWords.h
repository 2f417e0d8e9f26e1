//===- CarriedWords.h - Halves of words that loops carry --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly such as mma takes and returns two numbers of 16 bits as one word of 32. Where the
// program also reads the numbers one by one, behind the loop, LLVM splits the array of words, and
// the loop carries two halves: each iteration joins them in front of the assembly, splits what it
// returns, and holds twice as many registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Makes loops carry words of 32 bits in place of pairs of halves that are joined to words in the
/// loop, if all iterations hand on the two halves of one word. The first halves are joined in front
/// of the loop. Words are also merged in place of their halves where ways join behind it. Other
/// uses take the halves from the word where they are; where a block takes both as numbers with a
/// fraction, it takes them at once: then ptxas knows that they are neighbours, and computes with
/// both by one instruction.
class CarryWords : public llvm::PassInfoMixin<CarryWords> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
