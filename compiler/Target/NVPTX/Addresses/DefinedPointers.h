//===- DefinedPointers.h - Pointers of unknown value ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When LLVM unrolls a loop of unknown length, a pointer that is used behind the loop is undefined
// on the way on which the loop for the rest is not entered. LLVM 19 then does not find out to which
// memory the pointer belongs, and the accesses behind the loop are generic: slower, and not read
// through the read-only cache.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Replaces a phi of pointers with undefined values by another phi of its block that has the same
/// values elsewhere: behind an unrolled loop, that is the pointer with which the loop would begin.
/// Where there is none, replaces the undefined values by the argument or variable from which all
/// the other values of the phi are computed.
struct DefinePointers : llvm::PassInfoMixin<DefinePointers> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
