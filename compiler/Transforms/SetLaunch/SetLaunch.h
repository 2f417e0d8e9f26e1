//===- SetLaunch.h - Properties of a launch at a grain ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Says which blocks of the program a launch runs.
enum class LaunchedBlocks {
  All,
  Filling,   ///< blocks that fill a launched block; a separate launch runs the others
  Remainder, ///< the others, starting at a first block that the launch is given
};

/// Notes on the kernel's nest that launched blocks have at most `maxThreads` threads (0: no bound
/// is known), and which blocks a launch runs. If it runs a part of them, the number of launched
/// blocks no longer follows from the program's grid. This is always legal once sizes of the launch
/// have been folded.
void setLaunch(grain::KernelOp kernel, uint32_t maxThreads, LaunchedBlocks blocks);

} // namespace regrain
