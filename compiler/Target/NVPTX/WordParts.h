//===- WordParts.h - Words that are loaded for their parts ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM loads a structure of 8 bytes that is copied, such as a float2, as a number of 64 bits, and
// takes it apart by shifts. Its selection of instructions may then load each part alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Loads vectors in place of numbers of 64 bits of which only the halves are used, so that one
/// access remains. Loads that are volatile, atomic or not aligned stay.
struct LoadWordParts : llvm::PassInfoMixin<LoadWordParts> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain::nvptx
