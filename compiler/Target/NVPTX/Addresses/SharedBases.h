//===- SharedBases.h - One base for many elements of an array ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In an unrolled loop over the diagonals of `tile`, thread t accesses `tile[m - t][t]` for m = 0,
// 1, ..., each under its own guard. These addresses differ by constants, but LLVM's passes see that
// neither through the extension of `m - t`, which is known not to be negative only behind the
// guard, nor from one guarded block to the next.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// The fewest elements for which a base is computed in front of them.
inline constexpr unsigned fewestOfBase = 4;

/// Computes the addresses of elements of a variable that differ by constants from one base, in
/// front of all of them. It takes at least `fewestOfBase`, of which one subtracts in its index.
class SharedBases : public llvm::PassInfoMixin<SharedBases> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
