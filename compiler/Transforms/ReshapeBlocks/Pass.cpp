//===- Pass.cpp - ReshapeBlocks as a pass ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_RESHAPEBLOCKS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct ReshapeBlocksPass : impl::ReshapeBlocksBase<ReshapeBlocksPass> {
  using ReshapeBlocksBase::ReshapeBlocksBase;
  void runOnOperation() override {
    if (failed(transformAll(*this, getOperation(), shape, required, reshapeBlocks)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
