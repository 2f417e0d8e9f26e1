//===- Pass.cpp - PromoteInLoops as a pass --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/PromoteInLoops/PromoteInLoops.h"

#include "compiler/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_PROMOTEINLOOPS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct PromoteInLoopsPass : impl::PromoteInLoopsBase<PromoteInLoopsPass> {
  void runOnOperation() override { promoteInLoops(getOperation()); }
};

} // namespace

} // namespace regrain
