//===- Pass.cpp - KeepWindows as a pass -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepWindows/KeepWindows.h"

#include "compiler/Transforms/CleanUp/CleaningPass.h"
#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_KEEPWINDOWS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct KeepWindowsPass : CleaningPass<impl::KeepWindowsBase<KeepWindowsPass>> {
  using CleaningPass::CleaningPass;
  void runOnOperation() override {
    if (failed(
            settle(*this, getOperation(), keepWindows(getOperation(), ahead, patterns), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
