//===- LocalAlignment.h - Where the arrays of a thread lie ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread accesses up to 16 bytes of its local memory at once, if they are aligned. LLVM aligns an
// array as its elements are, and joins the accesses of neighbours only up to that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Aligns the arrays of a thread that hold 16 bytes or more for the widest access, and tells the
/// accesses. For behind the passes that keep arrays in registers.
class AlignLocals : public llvm::PassInfoMixin<AlignLocals> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
