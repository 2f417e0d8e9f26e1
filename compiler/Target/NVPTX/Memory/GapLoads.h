//===- GapLoads.h - Loads with gaps as one access ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that reads the members x, y and z of a float4 copies all of it in the source, but LLVM
// splits the copy and drops the member that is not used. LLVM's load-store vectoriser then makes
// accesses of 64 and of 32 bits, where one of 128 bits would do.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Joins loads of 8, 16 or 32 bits in one basic block that leave a gap in four aligned elements, if
/// nothing between them writes memory. The gap is read only where it is memory for certain: within
/// one element of an array whose type has room for the four, or within a variable.
/// Loads without a gap are left to LLVM's vectoriser.
struct GapLoads : llvm::PassInfoMixin<GapLoads> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace regrain::nvptx
