//===- Pass.cpp - DealStrides as a pass -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealStrides/DealStrides.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_DEALSTRIDES
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct DealStridesPass : impl::DealStridesBase<DealStridesPass> {
  using DealStridesBase::DealStridesBase;
  void runOnOperation() override {
    if (width < 2 || width > 16 || !llvm::isPowerOf2_32(width)) {
      getOperation().emitError("width= must be 2, 4, 8 or 16, not ") << uint32_t(width);
      return signalPassFailure();
    }
    if (failed(settle(*this, getOperation(), dealStrides(getOperation(), width, reassociate),
                      required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
