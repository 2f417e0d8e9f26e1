//===- Pass.cpp - DemoteShared as a pass ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DemoteShared/DemoteShared.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_DEMOTESHARED
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct DemoteSharedPass : impl::DemoteSharedBase<DemoteSharedPass> {
  using DemoteSharedBase::DemoteSharedBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), demoteShared(getOperation()), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
