//===- Pass.cpp - SplitGuards as a pass -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitGuards/SplitGuards.h"

#include "compiler/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_SPLITGUARDS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct SplitGuardsPass : impl::SplitGuardsBase<SplitGuardsPass> {
  void runOnOperation() override {
    getOperation().walk([](grain::ThreadsOp threads) { splitGuards(threads); });
  }
};

} // namespace

} // namespace regrain
