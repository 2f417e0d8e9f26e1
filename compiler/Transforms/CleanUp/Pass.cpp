//===- Pass.cpp - CleanUp as a pass ---------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/CleaningPass.h"

#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_CLEANUP
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct CleanUpPass : CleaningPass<impl::CleanUpBase<CleanUpPass>> {
  void runOnOperation() override {
    if (failed(cleanUp(getOperation(), patterns)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
