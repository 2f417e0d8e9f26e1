//===- RowPointers.h - Pointers that step from row to row -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is unrolled by 4 loads from p, p + n, p + 2n and p + 3n, and adds 4n to p. LLVM's
// strength reduction holds the distances n, 2n, 3n and 4n in registers of 64 bits. As a chain of
// pointers, one distance is held, and a distance that is a multiple of a 32-bit number takes one
// instruction (IMAD.WIDE) where an addition of 64 bits takes two. ptxas finds that instruction if
// the distance is one product.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Chains the pointers of loops of one block that are at 1, 2, 3, ... times a distance from the
/// loop's pointer, the last of which is the pointer of the next iteration. Returns whether the
/// function has changed.
bool chainRowPointers(llvm::Function &function);

/// Returns a pass over LLVM IR that does so, for behind strength reduction.
llvm::FunctionPass *createChainRowPointers();

} // namespace regrain::nvptx
