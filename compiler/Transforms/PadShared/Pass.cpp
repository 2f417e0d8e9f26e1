//===- Pass.cpp - PadShared as a pass -------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/PadShared/PadShared.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_PADSHARED
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct PadSharedPass : impl::PadSharedBase<PadSharedPass> {
  using PadSharedBase::PadSharedBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), padShared(getOperation()), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
