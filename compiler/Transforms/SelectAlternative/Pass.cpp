//===- Pass.cpp - SelectAlternative as a pass -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SelectAlternative/SelectAlternative.h"

#include "compiler/Transforms/Passes.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_SELECTALTERNATIVE
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct SelectAlternativePass : impl::SelectAlternativeBase<SelectAlternativePass> {
  using SelectAlternativeBase::SelectAlternativeBase;
  void runOnOperation() override {
    if (failed(selectAlternative(getOperation(), id)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
