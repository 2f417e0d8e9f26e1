//===- SearchLoops.h - Loops that look for an element -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that looks for an element loads one, compares it, and only then loads the next one: each
// load waits for the one before it. The loads cannot simply be moved up, because the program may
// end the search where the array ends. But memory is accessible in whole lines, so that a load
// cannot fault if it is in the line of an element that the program is sure to load.
//
// So a loop in front of the search passes over whole lines: it loads all elements of a line, and
// goes on while none of them ends the search. The search itself then begins at the first line that
// may have the element. Which is faster depends on how far searches go, so it is a grain.
//
// Conditions: the loop has no effects and no branches but its exits. One exit is counted, so that
// no line is taken that goes beyond the program's own end. The loads that count are of neighbouring
// elements of memory that a pointer argument names, come before the first other exit, and begin at
// a line, which is tested before the loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// The bytes that are loaded at a time. Memory is accessible, or not, in multiples of it.
inline constexpr unsigned searchedBytes = 64;

class SearchLoops : public llvm::PassInfoMixin<SearchLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
