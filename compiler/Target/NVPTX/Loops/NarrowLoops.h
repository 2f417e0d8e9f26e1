//===- NarrowLoops.h - Loops over numbers of less than 32 bits --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register of 32 bits counts as a vector to LLVM, so that two iterations over numbers of 16 bits,
// or four over bytes, become one. Chips have instructions for pairs of `half` and bf16. Vectors of
// integers are taken apart for most operations, and put together again, and what is loaded is not
// known to be aligned.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// Returns whether the instruction computes a number of 16 bits with a fraction. A register holds
/// two of them, and instructions take pairs.
[[nodiscard]] bool computesHalf(const llvm::Instruction &instruction);

/// Makes the pipelines of `builder` vectorise no loop without arithmetic on `half` or bf16, unless
/// the program asks for it.
void keepNarrowLoops(llvm::PassBuilder &builder);

} // namespace regrain::nvptx
