//===- BitCounts.h - Loops that count bits ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (count = 0; bits; ++count) bits &= bits - 1;` counts bits. Every NVIDIA GPU does this in one
// instruction (popc), but LLVM's NVPTX target does not say so, and LLVM keeps the loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// Makes the pipelines of `builder` replace a loop by llvm.ctpop if the loop does nothing but clear
/// the lowest bit of a number and count, until no bit is left. The number must be known not to be
/// zero where the loop begins: such a loop counts one bit of a zero.
void countBitsAtOnce(llvm::PassBuilder &builder);

} // namespace regrain::nvptx
