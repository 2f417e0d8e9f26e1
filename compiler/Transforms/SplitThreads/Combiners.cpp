//===- Combiners.cpp - Operations in any order ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/Combiners.h"

#include "compiler/Analysis/Callee.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

/// Returns whether `op` calls one of these functions without an effect.
static bool calls(Operation *op, ArrayRef<StringRef> names) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && isPureCall(call) && kindOf(call) == CalleeKind::Math &&
         call.getNumResults() == 1 && llvm::is_contained(names, call.getCallee().value_or(""));
}

static bool isExtremum(Operation *op) {
  return isa<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, LLVM::SMaxOp,
             LLVM::SMinOp, LLVM::UMaxOp, LLVM::UMinOp>(op) ||
         calls(op, {"__nv_min", "__nv_max", "__nv_umin", "__nv_umax", "__nv_llmin", "__nv_llmax",
                    "__nv_ullmin", "__nv_ullmax"});
}

bool regrain::isFloatMaximum(Operation *op) {
  return isa<LLVM::MaxNumOp>(op) || calls(op, {"__nv_fmaxf", "__nv_fmax"});
}

bool regrain::isFloatExtremum(Operation *op) {
  return isFloatMaximum(op) || isa<LLVM::MinNumOp>(op) || calls(op, {"__nv_fminf", "__nv_fmin"});
}

bool regrain::isExponential(Operation *op) {
  return isa<LLVM::ExpOp, LLVM::Exp2Op>(op) ||
         calls(op, {"__nv_expf", "__nv_exp", "__nv_exp2f", "__nv_exp2", "__nv_fast_expf"});
}

bool regrain::isCombiner(Operation *op) {
  return isExtremum(op) || isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
                               arith::OrIOp, arith::XOrIOp>(op);
}

bool regrain::combineAlike(Operation *one, Operation *other) {
  if (isa<arith::AddIOp, arith::SubIOp>(one))
    return isa<arith::AddIOp, arith::SubIOp>(other);
  auto call = dyn_cast<LLVM::CallOp>(one), otherCall = dyn_cast<LLVM::CallOp>(other);
  return one->getName() == other->getName() && (!call || call.getCallee() == otherCall.getCallee());
}

std::optional<int64_t> regrain::neutralOf(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp>(op))
    return 0;
  if (isa<arith::MulIOp>(op))
    return 1;
  return std::nullopt;
}

void regrain::forgetOverflow(Operation *op) {
  constexpr auto none = arith::IntegerOverflowFlags::none;
  if (auto sum = dyn_cast<arith::AddIOp>(op))
    sum.setOverflowFlags(none);
  else if (auto difference = dyn_cast<arith::SubIOp>(op))
    difference.setOverflowFlags(none);
  else if (auto product = dyn_cast<arith::MulIOp>(op))
    product.setOverflowFlags(none);
}

Value regrain::createCombined(OpBuilder &builder, Operation *op, Value one, Value other) {
  if (isa<arith::SubIOp>(op))
    return builder.create<arith::AddIOp>(op->getLoc(), one, other);
  Operation *combined = builder.clone(*op);
  combined->setOperands({one, other});
  forgetOverflow(combined);
  return combined->getResult(0);
}
