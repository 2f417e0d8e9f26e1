//===- Structure.cpp - LLVM dialect to structured control flow ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Structure.h"

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Creates a return, with poison if the function has a result.
Operation *createReturn(OpBuilder &builder, Location location, LLVM::LLVMFuncOp function) {
  SmallVector<Value> values;
  Type type = function.getFunctionType().getReturnType();
  if (!isa<LLVM::LLVMVoidType>(type))
    values.push_back(builder.create<LLVM::PoisonOp>(location, type));
  return builder.create<LLVM::ReturnOp>(location, values);
}

class Lift : public ControlFlowToSCFTransformation {
public:
  Value getUndefValue(Location location, OpBuilder &builder, Type type) override {
    return builder.create<LLVM::PoisonOp>(location, type);
  }
  FailureOr<Operation *> createUnreachableTerminator(Location location, OpBuilder &builder,
                                                     Region &region) override {
    return createReturn(builder, location, cast<LLVM::LLVMFuncOp>(region.getParentOp()));
  }
};

/// Makes the last case of a switch its default if the default is `dead`.
void dropDefault(LLVM::SwitchOp op, Block *dead) {
  unsigned cases = op.getCaseDestinations().size();
  if (op.getDefaultDestination() != dead || cases == 0 || op.getCaseDestinations().back() == dead)
    return;
  SmallVector<APInt> values;
  SmallVector<Block *> destinations;
  SmallVector<ValueRange> operands;
  auto oldValues = cast<DenseIntElementsAttr>(*op.getCaseValues()).getValues<APInt>();
  for (unsigned i = 0; i + 1 < cases; ++i) {
    values.push_back(oldValues[i]);
    destinations.push_back(op.getCaseDestinations()[i]);
    operands.push_back(op.getCaseOperands()[i]);
  }
  DenseIntElementsAttr newValues;
  if (!values.empty())
    newValues = DenseIntElementsAttr::get(
        VectorType::get(static_cast<int64_t>(values.size()), op.getValue().getType()), values);
  OpBuilder builder(op);
  builder.create<LLVM::SwitchOp>(op.getLoc(), op.getValue(), op.getCaseDestinations().back(),
                                 op.getCaseOperands().back(), newValues, destinations, operands);
  op.erase();
}

void dropEdge(LLVM::CondBrOp op, Block *dead) {
  if (op.getTrueDest() == op.getFalseDest())
    return;
  bool toTrue = op.getFalseDest() == dead;
  OpBuilder builder(op);
  builder.create<LLVM::BrOp>(op.getLoc(),
                             toTrue ? op.getTrueDestOperands() : op.getFalseDestOperands(),
                             toTrue ? op.getTrueDest() : op.getFalseDest());
  op.erase();
}

void eraseIfUnused(Block *block) {
  if (!block->hasNoPredecessors())
    return;
  block->dropAllDefinedValueUses();
  block->erase();
}

LLVM::LoopAnnotationAttr loopAnnotation(Operation &op) {
  if (auto branch = dyn_cast<LLVM::BrOp>(op))
    return branch.getLoopAnnotationAttr();
  if (auto branch = dyn_cast<LLVM::CondBrOp>(op))
    return branch.getLoopAnnotationAttr();
  return {};
}

} // namespace

void regrain::parkLoopHints(LLVM::LLVMFuncOp function) {
  if (function.getBody().hasOneBlock())
    return;
  DominanceInfo dominance(function);
  for (Block &latch : function.getBody()) {
    LLVM::LoopAnnotationAttr annotation = loopAnnotation(*latch.getTerminator());
    if (!annotation)
      continue;
    for (Block *header : latch.getSuccessors())
      if (dominance.dominates(header, &latch)) {
        OpBuilder builder = OpBuilder::atBlockBegin(header);
        builder.create<grain::LoopHintOp>(latch.getTerminator()->getLoc(), annotation);
      }
  }
}

void regrain::removeUnreachable(LLVM::LLVMFuncOp function) {
  SmallVector<Block *> dead;
  for (Block &block : function.getBody())
    if (isa<LLVM::UnreachableOp>(block.front()) && !block.isEntryBlock())
      dead.push_back(&block);
  for (Block *block : dead) {
    for (Block *predecessor : SmallVector<Block *>(block->getPredecessors())) {
      if (auto op = dyn_cast<LLVM::SwitchOp>(predecessor->getTerminator()))
        dropDefault(op, block);
      else if (auto op = dyn_cast<LLVM::CondBrOp>(predecessor->getTerminator()))
        dropEdge(op, block);
    }
    eraseIfUnused(block);
  }
  for (Block &block : function.getBody())
    if (auto op = dyn_cast<LLVM::UnreachableOp>(block.getTerminator())) {
      OpBuilder builder(op);
      createReturn(builder, op.getLoc(), function);
      op.erase();
    }
}

LogicalResult regrain::structure(LLVM::LLVMFuncOp function,
                                 function_ref<bool(Operation &)> isBarrier) {
  parkLoopHints(function);
  removeUnreachable(function);
  convertToArith(function);
  wrapUnstructured(function,
                   [&](Operation &op) { return isBarrier(op) || isa<grain::LoopHintOp>(op); });
  Lift lift;
  DominanceInfo dominance(function);
  if (failed(transformCFGToSCF(function.getBody(), lift, dominance)))
    return function.emitError("its control flow cannot be made structured");
  if (!function.getBody().hasOneBlock())
    return function.emitError("some of its paths do not end in a return");
  // A hint that turns out not to be in a loop has nothing to annotate.
  function.walk([](grain::LoopHintOp hint) {
    if (!hint->getParentOfType<LoopLikeOpInterface>())
      hint.erase();
  });
  return success();
}
