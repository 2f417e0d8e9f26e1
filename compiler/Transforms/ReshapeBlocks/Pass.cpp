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
    std::array<bool, 3> sliced = {};
    for (uint32_t dimension : slices) {
      if (dimension > 2) {
        getOperation().emitError("expects slices= with the dimensions 0, 1 and 2");
        return signalPassFailure();
      }
      sliced[dimension] = true;
    }
    auto reshape = [&](grain::BlocksOp &blocks, const Factors &factors) {
      return reshapeBlocks(blocks, factors, sliced);
    };
    if (failed(transformAll(*this, getOperation(), shape, required, reshape)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
