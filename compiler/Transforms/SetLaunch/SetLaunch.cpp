//===- SetLaunch.cpp - Properties of a launch at a grain ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SetLaunch/SetLaunch.h"

#include "compiler/Transforms/Coarsening.h"

using namespace regrain;

void regrain::setLaunch(grain::KernelOp kernel, uint32_t maxThreads, LaunchedBlocks launched) {
  grain::BlocksOp blocks = kernel.blocks();
  if (maxThreads)
    blocks.threads().setBound(maxThreads);
  if (launched != LaunchedBlocks::All)
    blocks.removeKnownGridAttr();
  if (launched == LaunchedBlocks::Remainder)
    blocks.setRemainder(true);
}
