//===- SetLaunch.h - What a launch at a grain has ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Which blocks of the program a launch runs.
enum class LaunchedBlocks {
  All,
  Filling,   ///< those that fill a launched one; the others get a launch of their own
  Remainder, ///< the others, from a first block on that the launch is told
};

/// Notes on the kernel's nest that launched blocks have at most `maxThreads` threads (0: nothing
/// is known), and which blocks a launch runs. Where it runs a part, the number of launched blocks
/// does not follow from the program's grid any more. It is always legal, after sizes of the launch
/// have been folded.
void setLaunch(grain::KernelOp kernel, uint32_t maxThreads, LaunchedBlocks blocks);

} // namespace regrain
