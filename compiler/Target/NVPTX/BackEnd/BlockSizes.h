//===- BlockSizes.h - Sizes of a launch are read first ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a block is a constant of the launch, and the number of a block is not. ptxas has one
// of the two factors of `blockIdx.x * blockDim.x` in a uniform register, that of the special
// register which is read last. The number of a block comes late there, and all indices wait for it.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class MachineFunctionPass;
} // namespace llvm

namespace regrain::nvptx {

/// Returns a pass over machine instructions that reads the sizes of blocks in front of the numbers
/// of blocks and threads, where both are read in one block of instructions.
llvm::MachineFunctionPass *createReadSizesFirst();

} // namespace regrain::nvptx
