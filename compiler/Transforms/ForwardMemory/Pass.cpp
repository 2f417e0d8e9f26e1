//===- Pass.cpp - ForwardMemory as a pass ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"

#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_FORWARDMEMORY
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct ForwardMemoryPass : impl::ForwardMemoryBase<ForwardMemoryPass> {
  void runOnOperation() override { forwardMemory(getOperation()); }
};

} // namespace

} // namespace regrain
