//===- CountedPointers.h - Addresses from a loop's counter ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread writes out[i], and adds the number of all threads to its counter i of 64 bits. LLVM's
// strength reduction increments a pointer beside the counter. The counter stays, because it ends
// the loop. The address from the counter takes two instructions (LEA), as the incremented pointer
// does, but ptxas makes a product and copies of the latter, and it holds two more numbers of 64
// bits. nvcc computes the address from the counter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

namespace regrain::nvptx {

/// Computes a loop's pointer from a counter of 64 bits with a step that is no constant, if the
/// pointer is the only one that steps with it. Returns whether the function has changed.
bool countPointers(llvm::Function &function);

/// Returns a pass over LLVM IR that does so, for behind strength reduction.
llvm::FunctionPass *createCountPointers();

} // namespace regrain::nvptx
