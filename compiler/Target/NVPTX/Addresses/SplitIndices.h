//===- SplitIndices.h - Constant parts of many indices ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil accesses a[base + i + ni * j + 2], a[base + i + ni * j - 1] and so on. The constants
// become offsets of the accesses, so that all of them share one address. LLVM does that when it
// generates code, and only if the sums of 32 bits cannot overflow. But its pass that reorders sums
// drops what says so, and a large stencil then holds dozens of addresses of 64 bits. So the
// constants are split off before that pass. In a small stencil, a comparison of the coordinates may
// let LLVM take sums for disjunctions, which have no constant parts at all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// The number of addresses from which a function is worth the split; smaller ones have registers
/// enough, and keep clang's code.
inline constexpr unsigned manyAddresses = 64;

/// The number of indices with a constant in a multiplied sum from which a smaller function is worth
/// it as well: those of a stencil's neighbours share addresses then.
inline constexpr ptrdiff_t manyNeighbours = 4;

/// Computes indices in 64 bits that contain a multiple of a sum, such as c + 3 * (i + 2), in a
/// function with so many address computations: InstCombine multiplies it out, and drops what says
/// that the sum does not overflow. Also does so for the neighbours of a smaller function, outside
/// loops. Runs before it.
class WidenSplitIndices : public llvm::PassInfoMixin<WidenSplitIndices> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Splits constants off the indices of a function with so many address computations.
class SplitIndices : public llvm::PassInfoMixin<SplitIndices> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
