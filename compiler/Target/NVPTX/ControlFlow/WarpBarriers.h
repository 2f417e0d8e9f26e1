//===- WarpBarriers.h - Barriers of blocks that are one warp ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a block has at most 32 threads, they are lanes of one warp. `bar.warp.sync` makes them wait
// for each other and orders their accesses to memory as the barrier of a block does, for less time.
//
// The mask names the threads that exist: a constant if the kernel requires a block, and otherwise
// from the size of the block at the launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Replaces the barriers of kernels whose launch bounds allow no more than a warp.
///
/// Threads must reach a warp's barrier at one place, so all barriers of a kernel stay if a branch
/// that threads may take differently decides whether one of them runs, as do early exits. They also
/// stay beside named barriers and assembly that may have a barrier. Those that combine a predicate
/// stay as they are. The chip must have compute capability 7.0: lanes of older ones have to
/// converge first.
class WarpBarriers : public llvm::PassInfoMixin<WarpBarriers> {
public:
  explicit WarpBarriers(unsigned capability) : capability(capability) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  unsigned capability;
};

} // namespace regrain::nvptx
