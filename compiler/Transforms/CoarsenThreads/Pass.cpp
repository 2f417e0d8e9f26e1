//===- Pass.cpp - CoarsenThreads as a pass --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenThreads/CoarsenThreads.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_COARSENTHREADS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct CoarsenThreadsPass : impl::CoarsenThreadsBase<CoarsenThreadsPass> {
  using CoarsenThreadsBase::CoarsenThreadsBase;
  void runOnOperation() override {
    auto transform = [&](grain::BlocksOp &nest, const Factors &given) {
      return coarsenThreads(
          nest, given, contiguous ? Distribution::Contiguous : Distribution::Strided, joinsGuards);
    };
    if (failed(transformAll(*this, getOperation(), factors, required, transform)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
