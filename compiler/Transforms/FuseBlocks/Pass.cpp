//===- Pass.cpp - FuseBlocks as a pass ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/FuseBlocks/FuseBlocks.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_FUSEBLOCKS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct FuseBlocksPass : impl::FuseBlocksBase<FuseBlocksPass> {
  using FuseBlocksBase::FuseBlocksBase;
  void runOnOperation() override {
    if (failed(transformAll(*this, getOperation(), factors, required, fuseBlocks)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
