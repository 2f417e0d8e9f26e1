//===- ReducePass.cpp - Makes kernels smaller -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/regrain-reduce/ReducePass.h"

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Simplify/Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Replaces `op` by the block of one of its regions: a side of an if, an alternative, or the first
/// iteration of a loop.
bool replaceByRegion(PatternRewriter &rewriter, Operation *op, unsigned region) {
  if (!isa<scf::IfOp, scf::ForOp, scf::ExecuteRegionOp, grain::AlternativesOp>(op) ||
      region >= op->getNumRegions() || !op->getRegion(region).hasOneBlock())
    return false;
  SmallVector<Value> arguments;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    // A hint would belong to the loop around this one.
    for (auto hint : llvm::make_early_inc_range(loop.getBody()->getOps<grain::LoopHintOp>()))
      rewriter.eraseOp(hint);
    arguments.push_back(loop.getLowerBound());
    llvm::append_range(arguments, loop.getInitArgs());
  }
  replaceByBlock(rewriter, op, op->getRegion(region).front(), arguments);
  return true;
}

/// Replaces the only result of `op` by zero.
bool replaceByZero(PatternRewriter &rewriter, Operation *op) {
  if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::ZeroOp>(op) ||
      !LLVM::isCompatibleType(op->getResult(0).getType()))
    return false;
  Type type = op->getResult(0).getType();
  rewriter.setInsertionPoint(op);
  if (type.isIntOrFloat())
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(type));
  else
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(op, type);
  return true;
}

bool eraseUnused(PatternRewriter &rewriter, Operation *op) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  rewriter.eraseOp(op);
  return true;
}

/// The changes that are tried on each operation, in this order. A change returns whether it
/// applies.
using Change = bool (*)(PatternRewriter &, Operation *);
constexpr Change changes[] = {
    eraseUnused,
    [](PatternRewriter &rewriter, Operation *op) { return replaceByRegion(rewriter, op, 0); },
    [](PatternRewriter &rewriter, Operation *op) { return replaceByRegion(rewriter, op, 1); },
    replaceByZero};

/// Returns the operations of a module, each in front of those that it contains.
SmallVector<Operation *> operationsOf(ModuleOp module) {
  SmallVector<Operation *> all;
  module.getBodyRegion().walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  return all;
}

struct ReducePass : PassWrapper<ReducePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReducePass)

  ReducePass() = default;
  ReducePass(const ReducePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "grain-reduce"; }
  StringRef getDescription() const override {
    return "Makes kernels smaller, one change at a time";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    if (!isInteresting(getOperation())) {
      getOperation().emitError("'" + test + "' does not exit with 1 for the unchanged file");
      return signalPassFailure();
    }
    while (sweep())
      ;
  }

private:
  /// Tries every change once; those that use a value come before the one that computes it.
  bool sweep() {
    bool changed = false;
    for (size_t index = operationsOf(getOperation()).size(); index-- > 0;)
      changed |= llvm::any_of(changes, [&](Change change) { return tryAt(index, change); });
    return changed;
  }

  /// Keeps the change of the operation at `index` if the result is interesting.
  bool tryAt(size_t index, Change change) {
    OwningOpRef<ModuleOp> trial = getOperation().clone();
    SmallVector<Operation *> all = operationsOf(*trial);
    PatternRewriter rewriter(&getContext());
    if (index >= all.size() || !change(rewriter, all[index]) || !isValid(*trial) ||
        !isInteresting(*trial))
      return false;
    getOperation().getBodyRegion().takeBody(trial->getBodyRegion());
    return true;
  }

  bool isValid(ModuleOp module) {
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) { return success(); });
    return succeeded(verify(module));
  }

  bool isInteresting(ModuleOp module) {
    return Tester(test, {}).isInteresting(module).first == Tester::Interestingness::True;
  }

  Option<std::string> test{*this, "test", llvm::cl::desc("exits with 1 for interesting files")};
};

} // namespace

void regrain::registerReducePass() { PassRegistration<ReducePass>(); }
