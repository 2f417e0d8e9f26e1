//===- SelectedDoubles.h - Doubles that a condition changes -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (odd) x = fma(...)` is a selection for LLVM, which computes both numbers. The machine selects
// 32 bits at a time, so that a double takes two selections. As a branch over one instruction, ptxas
// makes it an instruction with a predicate. The sine and the cosine end with two of these.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Replaces selections of doubles, one of which only the selection needs and one instruction
/// computes, by branches over that instruction. Returns whether the function has changed.
bool branchOverDoubles(llvm::Function &function);

/// Returns a pass over LLVM IR that does so, for behind all passes that look at loops of one block.
llvm::FunctionPass *createBranchOverDoubles();

} // namespace regrain::nvptx
