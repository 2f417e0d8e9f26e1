//===- Pass.cpp - StreamStores as a pass ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StreamStores/StreamStores.h"

#include "compiler/Transforms/RefusablePass.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_STREAMSTORES
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct StreamStoresPass : impl::StreamStoresBase<StreamStoresPass> {
  using StreamStoresBase::StreamStoresBase;
  void runOnOperation() override {
    if (failed(settle(*this, getOperation(), streamStores(getOperation()), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
