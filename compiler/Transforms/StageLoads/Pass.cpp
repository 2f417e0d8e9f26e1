//===- Pass.cpp - StageLoads as a pass ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/StageLoads.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_STAGELOADS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct StageLoadsPass : impl::StageLoadsBase<StageLoadsPass> {
  using StageLoadsBase::StageLoadsBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), stageLoads(getOperation(), bulk), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
