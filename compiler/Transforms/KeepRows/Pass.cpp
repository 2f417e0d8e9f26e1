//===- Pass.cpp - KeepRows as a pass --------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepRows/KeepRows.h"

#include "compiler/Transforms/CleanUp/CleaningPass.h"
#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_KEEPROWS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct KeepRowsPass : CleaningPass<impl::KeepRowsBase<KeepRowsPass>> {
  using CleaningPass::CleaningPass;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), keepRows(getOperation(), joined, patterns), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
