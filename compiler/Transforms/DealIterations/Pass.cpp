//===- Pass.cpp - DealIterations as a pass --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealIterations/DealIterations.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_DEALITERATIONS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct DealIterationsPass : impl::DealIterationsBase<DealIterationsPass> {
  using DealIterationsBase::DealIterationsBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), dealIterations(getOperation(), dealing), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
