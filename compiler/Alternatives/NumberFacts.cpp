//===- NumberFacts.cpp - What a kernel computes with its numbers ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Statistics.h"

#include "compiler/Analysis/Callee.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Returns whether the operation adds to `sum`, as SumOrder.h of the targets means it.
bool addsTo(Operation *op, Value sum) {
  if (isa<LLVM::FAddOp>(op))
    return true;
  if (auto difference = dyn_cast<LLVM::FSubOp>(op))
    return difference.getLhs() == sum;
  return isa<LLVM::FMulAddOp, LLVM::FMAOp>(op) && op->getOperand(2) == sum;
}

/// Returns whether the loop hands on what it adds to the number.
bool isCarriedSum(BlockArgument sum) {
  if (!isa<FloatType>(sum.getType()))
    return false;
  Value partial = sum;
  for (;;) {
    auto users = partial.getUsers();
    auto next = llvm::find_if(users, [&](Operation *user) { return addsTo(user, partial); });
    if (next == users.end())
      return partial != sum && llvm::any_of(users, [](Operation *user) {
               return user->hasTrait<OpTrait::IsTerminator>();
             });
    partial = next->getResult(0);
  }
}

/// Returns whether the call may be a conversion of 8-bit numbers in inline PTX, by its types.
bool mayConvertCodes(LLVM::CallOp call) {
  if (kindOf(call) != grain::CalleeKind::Assembly || call.getNumResults() != 1)
    return false;
  Type result = call.getResult().getType();
  TypeRange arguments = call.getArgOperands().getTypes();
  bool isEncoding = result.isInteger(16) && !arguments.empty() &&
                    (arguments.front().isF32() || arguments.front().isInteger(32));
  bool isDecoding =
      result.isInteger(32) && arguments.size() == 1 && arguments.front().isInteger(16);
  return isEncoding || isDecoding;
}

} // namespace

bool regrain::convertsCodes(grain::KernelOp kernel) {
  return kernel
      .walk([](LLVM::CallOp call) {
        return mayConvertCodes(call) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool regrain::hasSumsInLoops(grain::KernelOp kernel) {
  return kernel
      .walk([](LoopLikeOpInterface loop) {
        bool isGrain = isa<grain::GrainDialect>(loop->getDialect());
        bool hasSum = !isGrain && llvm::any_of(loop->getRegions(), [](Region &region) {
          return !region.empty() && llvm::any_of(region.getArguments(), isCarriedSum);
        });
        return hasSum ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
