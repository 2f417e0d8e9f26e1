//===- Pass.cpp - HintLoads as a pass -------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/HintLoads/HintLoads.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_HINTLOADS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct HintLoadsPass : impl::HintLoadsBase<HintLoadsPass> {
  using HintLoadsBase::HintLoadsBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), hintLoads(getOperation(), hint), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
