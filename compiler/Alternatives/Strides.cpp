//===- Strides.cpp - Integers that decide about alignment -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Strides.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace regrain;

namespace {

class StrideSearch {
public:
  /// `widest` is the number of elements of the widest access.
  StrideSearch(grain::KernelOp kernel, int64_t widest, std::set<uint32_t> &strides)
      : kernel(kernel), widest(widest), strides(strides) {}

  /// Adds the parameters that `value` is a sum of, or a product with.
  void visit(Value value) {
    if (!visited.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (!op)
      return visitArgument(cast<BlockArgument>(value));
    if (isa<LLVM::GEPOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op) &&
        !isMultiple(op))
      for (Value operand : op->getOperands())
        visit(operand);
  }

private:
  void visitArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel && isa<IntegerType>(argument.getType()))
      strides.insert(argument.getArgNumber());
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && argument == loop.getInductionVar())
      for (Value part : {loop.getLowerBound(), loop.getStep()})
        visit(part);
  }

  /// Returns whether the number is aligned by a constant factor, whatever the other one is.
  bool isMultiple(Operation *op) const {
    if (!isa<arith::MulIOp, arith::ShLIOp>(op))
      return false;
    std::optional<int64_t> number = getConstantIntValue(op->getOperand(1));
    if (number && isa<arith::ShLIOp>(op))
      number = *number >= 0 && *number < 32 ? std::optional(int64_t(1) << *number) : std::nullopt;
    return number && *number % widest == 0;
  }

  grain::KernelOp kernel;
  int64_t widest;
  std::set<uint32_t> &strides;
  llvm::DenseSet<Value> visited;
};

} // namespace

void regrain::addStrides(grain::KernelOp kernel, Value address, int64_t widest,
                         std::set<uint32_t> &strides) {
  StrideSearch(kernel, widest, strides).visit(address);
}
