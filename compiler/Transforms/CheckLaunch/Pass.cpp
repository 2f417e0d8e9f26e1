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
    if (failed(settle(*this, getOperation(), checkLaunch(getOperation()), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
