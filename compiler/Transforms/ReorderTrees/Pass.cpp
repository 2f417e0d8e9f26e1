//===- Pass.cpp - ReorderTrees as a pass ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReorderTrees/ReorderTrees.h"

#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_REORDERTREES
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct ReorderTreesPass : impl::ReorderTreesBase<ReorderTreesPass> {
  using ReorderTreesBase::ReorderTreesBase;
  LogicalResult initialize(MLIRContext *context) override {
    patterns = cleanUpPatterns(context);
    return success();
  }
  void runOnOperation() override { reorderTrees(getOperation(), reassociate, patterns); }
  FrozenRewritePatternSet patterns;
};

} // namespace

} // namespace regrain
