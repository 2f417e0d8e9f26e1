//===- OffsetPointers.h - Loop pointers with one offset ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with many addresses that differ by no constants makes LLVM's strength reduction give up
// its search: it keeps what occurs in most of them, such as the thread's own offset, apart from the
// pointers that are incremented, and adds it to each of them in each iteration. ptxas then holds
// these pointers in uniform registers, and loads wait for sums. If the offset is added in front of
// the loop, an access takes one instruction, and all loads of an iteration can be issued at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Lets the pointers of loops begin at an offset that does not change in the loop, if they are used
/// with this one only. Returns whether the function has changed.
bool offsetPointers(llvm::Function &function);

/// Returns a pass over LLVM IR that does so, for behind strength reduction.
llvm::FunctionPass *createOffsetPointers();

} // namespace regrain::nvptx
