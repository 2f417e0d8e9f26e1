//===- Pass.cpp - ExchangeInWarp as a pass --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/CleaningPass.h"
#include "compiler/Transforms/ExchangeInWarp/ExchangeInWarp.h"
#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_EXCHANGEINWARP
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct ExchangeInWarpPass : CleaningPass<impl::ExchangeInWarpBase<ExchangeInWarpPass>> {
  using CleaningPass::CleaningPass;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), exchangeInWarp(getOperation(), exchanges, patterns),
                      required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
