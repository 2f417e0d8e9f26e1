//===- Predication.h - Short guarded code without branches ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that only some lanes run costs a warp the branch, and the loads of several guarded regions
// wait for each other. Without the branch all lanes compute the result, and those that the guard
// excludes discard it; the loads are then in flight together. Which is faster depends on how often
// a whole warp is excluded, so it is a grain (docs/decisions/0078).
//
// Only what cannot fault runs without its guard: no store, no call that is not an intrinsic without
// effects, no division whose divisor may be 0, and a load only if all bytes that it can name belong
// to an object whose size is known. These are arrays, module variables and arguments that are
// dereferenceable. An index counts as known if it is a constant, the counter of a loop of constant
// length, or computed from those without relying on the absence of overflow, which the guard may
// ensure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// The most instructions that run without their guard, of each side of a branch.
inline constexpr unsigned mostGuarded = 10;

/// Replaces branches over at most that many instructions by selections of their results.
class PredicateBranches : public llvm::PassInfoMixin<PredicateBranches> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
