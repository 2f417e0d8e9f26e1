//===- Pass.cpp - ExpandAlternatives as a pass ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExpandAlternatives/ExpandAlternatives.h"

#include "compiler/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace regrain {

#define GEN_PASS_DEF_EXPANDALTERNATIVES
#include "compiler/Transforms/Passes.h.inc"

namespace {

struct ExpandAlternativesPass : impl::ExpandAlternativesBase<ExpandAlternativesPass> {
  using ExpandAlternativesBase::ExpandAlternativesBase;
  void runOnOperation() override {
    SmallVector<StringRef> pieces;
    StringRef(specs).split(pieces, ';', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    std::vector<Grain> grains;
    for (StringRef piece : pieces) {
      OrError<GrainSpec> spec = parseGrainSpec(piece);
      if (!spec || spec->hasTotals()) {
        getOperation().emitError("expects factors per dimension, not '") << piece << "'";
        return signalPassFailure();
      }
      grains.push_back(spec->grain);
    }
    SmallVector<RefusedStep> refused;
    if (failed(expandAlternatives(getOperation(), grains, refused)))
      return signalPassFailure();
    for (const RefusedStep &step : refused)
      emitRemark(step, &getContext());
  }
};

} // namespace

} // namespace regrain
