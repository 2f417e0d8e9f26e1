//===- Pass.cpp - RemoveBarriers as a pass --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/RemoveBarriers/RemoveBarriers.h"

#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_REMOVEBARRIERS
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct RemoveBarriersPass : impl::RemoveBarriersBase<RemoveBarriersPass> {
  void runOnOperation() override { removeBarriers(getOperation()); }
};

} // namespace

} // namespace regrain
