//===- EarlyCasts.h - Casts to shared memory, before offsets ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly such as ldmatrix takes addresses in shared memory as numbers of 32 bits, and programs
// cast each one, `__cvta_generic_to_shared(&tile[row][column])`. Where the tile is not known, as
// one of several in turn, each address takes sums of 64 bits and a cast of its own. nvcc casts the
// tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Casts a generic address to shared memory in front of the offsets that are added to it, which are
/// then sums of 32 bits, if nothing else needs the generic sum. The cast subtracts where the window
/// to shared memory begins, so the sum is the same.
class CastEarly : public llvm::PassInfoMixin<CastEarly> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
