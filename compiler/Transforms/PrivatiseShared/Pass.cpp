//===- Pass.cpp - PrivatiseShared as a pass -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/PrivatiseShared/PrivatiseShared.h"

#include "compiler/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_PRIVATISESHARED
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct PrivatiseSharedPass : impl::PrivatiseSharedBase<PrivatiseSharedPass> {
  void runOnOperation() override { privatiseShared(getOperation()); }
};

} // namespace

} // namespace regrain
