//===- Pass.cpp - CleanUp as a pass ---------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/CleanUp.h"

#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_CLEANUP
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct CleanUpPass : impl::CleanUpBase<CleanUpPass> {
  LogicalResult initialize(MLIRContext *context) override {
    patterns = cleanUpPatterns(context);
    return success();
  }
  void runOnOperation() override {
    if (failed(cleanUp(getOperation(), patterns)))
      signalPassFailure();
  }
  FrozenRewritePatternSet patterns;
};

} // namespace

} // namespace regrain
