//===- Pass.cpp - TransposeAccesses as a pass -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/TransposeAccesses/TransposeAccesses.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_TRANSPOSEACCESSES
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct TransposeAccessesPass : impl::TransposeAccessesBase<TransposeAccessesPass> {
  using TransposeAccessesBase::TransposeAccessesBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), transposeAccesses(getOperation()), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
