//===- SelectedCases.h - Short cases of switches and branches ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes a switch of `if (c == '0') ++zeros; else if (c == '1') ++ones; ...`. The code
// generator makes a branch of each case, so that the loads of an unrolled loop wait for each other,
// and the lanes of a warp take all ways one after the other. nvcc keeps the comparisons, and
// selects. It also selects between the two ways of a branch that meet where a third one arrives,
// as in a merge of two sorted lists; LLVM does so only where two ways meet alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Runs the cases of small switches, and both ways of branches, unconditionally, and selects the
/// results, if each is at most one cheap operation on integers. What the operation may not compute
/// elsewhere is not selected there. Larger switches and cases stay.
struct SelectCases : llvm::PassInfoMixin<SelectCases> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
