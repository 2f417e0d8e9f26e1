//===- Pass.cpp - ReorderTrees as a pass ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReorderTrees/ReorderTrees.h"

#include "compiler/Transforms/CleanUp/CleaningPass.h"
#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_REORDERTREES
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct ReorderTreesPass : CleaningPass<impl::ReorderTreesBase<ReorderTreesPass>> {
  using CleaningPass::CleaningPass;
  void runOnOperation() override { reorderTrees(getOperation(), reassociate, patterns); }
};

} // namespace

} // namespace regrain
