//===- Passes.cpp - Stages of the import as passes ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Passes.h"

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Import/RaiseLoops.h"
#include "compiler/Import/Structure.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace regrain;

namespace {

struct LiftPass : PassWrapper<LiftPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LiftPass)

  StringRef getArgument() const override { return "grain-lift"; }
  StringRef getDescription() const override {
    return "Turn the control flow of llvm.func into scf and its integers into arith";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, grain::GrainDialect,
                    scf::SCFDialect>();
  }
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() &&
          failed(structure(function, [](Operation &op) { return isa<grain::BarrierOp>(op); })))
        signalPassFailure();
  }
};

struct RaiseLoopsPass : PassWrapper<RaiseLoopsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RaiseLoopsPass)

  StringRef getArgument() const override { return "grain-raise-loops"; }
  StringRef getDescription() const override { return "Turn loops that count into scf.for"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal() && failed(raiseLoops(function)))
        signalPassFailure();
  }
};

} // namespace

void regrain::registerImportPasses() {
  PassRegistration<LiftPass>();
  PassRegistration<RaiseLoopsPass>();
}
