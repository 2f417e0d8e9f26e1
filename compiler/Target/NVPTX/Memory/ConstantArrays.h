//===- ConstantArrays.h - Arrays of a thread that are tables ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that fills an array with constants and then looks elements up by an index that is not
// constant writes the whole array to local memory in every thread. The program cannot tell the
// array from a constant in global memory, which is written once, when the module is loaded.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Replaces arrays of a thread by constants of the module, where all stores are of constants to
/// constant places, and no two of them differ about a byte. A byte that no store wrote yet is
/// undefined, so that a load may see what a store writes later. Arrays whose addresses go anywhere
/// but into plain loads and stores stay. For where loops that fill arrays are unrolled.
struct ConstantArrays : llvm::PassInfoMixin<ConstantArrays> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
