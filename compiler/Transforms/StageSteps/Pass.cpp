//===- Pass.cpp - StageSteps as a pass ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageSteps/StageSteps.h"

#include "compiler/Transforms/CleanUp/CleaningPass.h"
#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_STAGESTEPS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct StageStepsPass : CleaningPass<impl::StageStepsBase<StageStepsPass>> {
  using CleaningPass::CleaningPass;
  void runOnOperation() override {
    RingForm form = {bulk, ahead, dynamicBytes};
    if (failed(settle(*this, getOperation(), stageSteps(getOperation(), form, patterns), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
