//===- Pass.cpp - CheckLaunch as a pass -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CheckLaunch/CheckLaunch.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_CHECKLAUNCH
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct CheckLaunchPass : impl::CheckLaunchBase<CheckLaunchPass> {
  using CheckLaunchBase::CheckLaunchBase;
  void runOnOperation() override {
    Refusal refusal;
    if (failed(checkLaunch(getOperation(), refusal)) &&
        failed(settle(getOperation(), refusal, required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
