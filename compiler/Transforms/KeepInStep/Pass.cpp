//===- Pass.cpp - KeepInStep as a pass ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepInStep/KeepInStep.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_KEEPINSTEP
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct KeepInStepPass : impl::KeepInStepBase<KeepInStepPass> {
  using KeepInStepBase::KeepInStepBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), keepInStep(getOperation(), ahead), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
