//===- Pass.cpp - SetLaunch as a pass -------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SetLaunch/SetLaunch.h"

#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_SETLAUNCH
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct SetLaunchPass : impl::SetLaunchBase<SetLaunchPass> {
  using SetLaunchBase::SetLaunchBase;
  void runOnOperation() override { setLaunch(getOperation(), bound, blocks); }
};

} // namespace

} // namespace regrain
