//===- Pass.cpp - StageLoops as a pass ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoops/StageLoops.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_STAGELOOPS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct StageLoopsPass : impl::StageLoopsBase<StageLoopsPass> {
  using StageLoopsBase::StageLoopsBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), stageLoops(getOperation(), bulk), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
