//===- Pass.cpp - Specialise as a pass ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Specialise/Specialise.h"

#include "compiler/Transforms/RefusablePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_SPECIALISE
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct SpecialisePass : impl::SpecialiseBase<SpecialisePass> {
  using SpecialiseBase::SpecialiseBase;
  void runOnOperation() override {
    OrError<GrainSpec> spec = parseGrainSpec(known);
    if (!spec) {
      getOperation().emitError(spec.error());
      return signalPassFailure();
    }
    if (failed(
            settle(*this, getOperation(), specialise(getOperation(), spec->grain.known), required)))
      signalPassFailure();
  }
};

} // namespace

} // namespace regrain
