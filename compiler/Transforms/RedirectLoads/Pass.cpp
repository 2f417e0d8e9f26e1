//===- Pass.cpp - RedirectLoads as a pass ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/RedirectLoads/RedirectLoads.h"

#include "compiler/Transforms/CleanUp/CleaningPass.h"
#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_REDIRECTLOADS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct RedirectLoadsPass : CleaningPass<impl::RedirectLoadsBase<RedirectLoadsPass>> {
  using CleaningPass::CleaningPass;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), redirectLoads(getOperation(), patterns), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
