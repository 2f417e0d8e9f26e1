//===- Speculation.cpp - What may run where the program does not ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Speculation.h"

#include "compiler/Analysis/Callee.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// MLIR 19 takes remainders for pure, whatever the divisor is.
static bool mayDivideByZero(Operation *op) {
  if (!isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp, LLVM::UDivOp,
           LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp>(op))
    return false;
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, LLVM::SDivOp, LLVM::SRemOp>(op);
  APInt divisor;
  return !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) || divisor.isZero() ||
         (isSigned && divisor.isAllOnes());
}

/// CUDA's mathematical functions return for all operands.
static bool callsMathFunction(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && regrain::isPureCall(call) && regrain::kindOf(call) == regrain::CalleeKind::Math;
}

bool regrain::mayRunAnywhere(Operation *op) {
  if (callsMathFunction(op))
    return true;
  return isPure(op) && !op->walk([](Operation *inner) {
                            return mayDivideByZero(inner) ? WalkResult::interrupt()
                                                          : WalkResult::advance();
                          }).wasInterrupted();
}
