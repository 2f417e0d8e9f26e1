//===- Pass.cpp - CoarsenBlocks as a pass ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/CoarsenBlocks.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_COARSENBLOCKS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct CoarsenBlocksPass : impl::CoarsenBlocksBase<CoarsenBlocksPass> {
  using CoarsenBlocksBase::CoarsenBlocksBase;
  void runOnOperation() override {
    auto transform = [&](grain::BlocksOp &nest, const Factors &given) {
      return coarsenBlocks(nest, given, apart ? Edge::Apart : Edge::Inside,
                           loop    ? Order::InLoop
                           : whole ? Order::WholeTogether
                                   : Order::Together,
                           !common       ? SharedCopies::Own
                           : reassociate ? SharedCopies::CommonSums
                                         : SharedCopies::Common);
    };
    if (failed(transformAll(*this, getOperation(), factors, required, transform)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
