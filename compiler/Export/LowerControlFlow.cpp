//===- LowerControlFlow.cpp - scf, cf and arith to the LLVM dialect -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Export/Lower.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Lowers scf.for to scf.while. Upstream's lowering loses the fact that counting does not wrap.
void forToWhile(scf::ForOp loop) {
  Location location = loop.getLoc();
  IRRewriter rewriter(loop);
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locations(types.size(), location);
  auto result = rewriter.create<scf::WhileOp>(location, types, inits);

  Block *header = rewriter.createBlock(&result.getBefore(), {}, types, locations);
  Value goesOn = rewriter.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt,
                                                header->getArgument(0), loop.getUpperBound());
  rewriter.create<scf::ConditionOp>(location, goesOn, header->getArguments());

  Block *body = rewriter.createBlock(&result.getAfter(), {}, types, locations);
  rewriter.inlineBlockBefore(loop.getBody(), body, body->end(), body->getArguments());
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next{rewriter.create<arith::AddIOp>(
      location, body->getArgument(0), loop.getStep(), arith::IntegerOverflowFlags::nsw)};
  llvm::append_range(next, yield.getOperands());
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, next);
  rewriter.replaceOp(loop, result.getResults().drop_front());
}

/// Numbers the cases of a switch whose operand may have more than 32 bits, because upstream's
/// lowering compares only the lowest 32 bits.
void numberCases(scf::IndexSwitchOp op) {
  auto cast = op.getArg().getDefiningOp<arith::IndexCastUIOp>();
  if (cast && cast.getIn().getType().getIntOrFloatBitWidth() <= 32)
    return;
  OpBuilder builder(op);
  Location location = op.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantIndexOp>(location, value);
  };
  SmallVector<int64_t> numbers;
  Value number = constant(0); // the default
  for (int64_t value : op.getCases()) {
    numbers.push_back(int64_t(numbers.size()) + 1);
    Value isCase = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, op.getArg(),
                                                 constant(value));
    number = builder.create<arith::SelectOp>(location, isCase, constant(numbers.back()), number);
  }
  op.getArgMutable().set(number);
  op.setCases(numbers);
}

/// Returns whether the lowering closes the loop at the end of its first region.
bool isDoWhile(scf::WhileOp loop) {
  return llvm::hasSingleElement(*loop.getAfterBody()) &&
         llvm::equal(loop.getYieldOp().getOperands(), loop.getAfterArguments());
}

/// Moves hints to the place where their loop's latch will be.
void moveHintsToLatches(LLVM::LLVMFuncOp function) {
  SmallVector<grain::LoopHintOp> hints;
  function.walk([&](grain::LoopHintOp hint) { hints.push_back(hint); });
  for (grain::LoopHintOp hint : hints) {
    auto loop = hint->getParentOfType<scf::WhileOp>();
    if (!loop)
      hint.erase();
    else if (isDoWhile(loop))
      hint->moveBefore(loop.getConditionOp());
    else
      hint->moveBefore(loop.getYieldOp());
  }
}

void attachHints(LLVM::LLVMFuncOp function) {
  SmallVector<grain::LoopHintOp> hints;
  function.walk([&](grain::LoopHintOp hint) { hints.push_back(hint); });
  for (grain::LoopHintOp hint : hints) {
    Operation *latch = hint->getBlock()->getTerminator();
    auto annotation = dyn_cast<LLVM::LoopAnnotationAttr>(hint.getAnnotation());
    if (auto branch = dyn_cast<LLVM::BrOp>(latch); branch && annotation)
      branch.setLoopAnnotationAttr(annotation);
    else if (auto branch = dyn_cast<LLVM::CondBrOp>(latch); branch && annotation)
      branch.setLoopAnnotationAttr(annotation);
    hint.erase();
  }
}

LogicalResult lowerStructure(LLVM::LLVMFuncOp function) {
  RewritePatternSet patterns(function.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*function.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(function, target, std::move(patterns));
}

/// Gives the block an integer argument instead of an index, on every edge to it. Upstream's
/// conversion rejects branches that pass a value whose type changes.
void takeInteger(BlockArgument argument) {
  Block *block = argument.getOwner();
  OpBuilder builder(argument.getContext());
  Type index = builder.getIndexType(), integer = builder.getI64Type();
  for (auto edge = block->pred_begin(); edge != block->pred_end(); ++edge) {
    auto branch = cast<BranchOpInterface>((*edge)->getTerminator());
    MutableOperandRange operands =
        branch.getSuccessorOperands(edge.getSuccessorIndex()).getMutableForwardedOperands();
    OpOperand &passed = operands[argument.getArgNumber()];
    builder.setInsertionPoint(branch);
    passed.set(builder.create<arith::IndexCastOp>(branch.getLoc(), integer, passed.get()));
  }
  argument.setType(integer);
  builder.setInsertionPointToStart(block);
  auto inside = builder.create<arith::IndexCastOp>(argument.getLoc(), index, argument);
  argument.replaceAllUsesExcept(inside, inside);
}

void passIntegers(LLVM::LLVMFuncOp function) {
  for (Block &block : function.getBody())
    for (BlockArgument argument : block.getArguments())
      if (argument.getType().isIndex())
        takeInteger(argument);
}

LogicalResult lowerToLLVM(LLVM::LLVMFuncOp function) {
  MLIRContext *context = function.getContext();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, ub::UBDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(function, target, std::move(patterns));
}

} // namespace

LogicalResult regrain::lowerControlFlow(LLVM::LLVMFuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    forToWhile(loop);
  function.walk(numberCases);
  moveHintsToLatches(function);
  if (failed(lowerStructure(function)))
    return failure();
  passIntegers(function);
  if (failed(lowerToLLVM(function)))
    return failure();
  attachHints(function);
  return success();
}
