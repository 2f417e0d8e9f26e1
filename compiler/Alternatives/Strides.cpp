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
#include <map>

using namespace mlir;
using namespace regrain;

namespace {

class StrideSearch {
public:
  /// `widest` is the number of elements of the widest access.
  StrideSearch(grain::KernelOp kernel, int64_t widest, StrideChoices &choices)
      : kernel(kernel), widest(widest), choices(choices) {}

  /// Adds the parameters that `value` is a sum of, or a product with.
  void visit(Value value) {
    if (!visited.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (!op)
      return visitArgument(cast<BlockArgument>(value));
    if (!isa<LLVM::GEPOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::RemSIOp,
             arith::RemUIOp>(op) ||
        isMultiple(op))
      return;
    std::set<uint32_t> factors;
    if (isa<arith::MulIOp>(op))
      addFactors(value, factors);
    if (!factors.empty())
      choices.insert(factors);
    else
      for (Value operand : op->getOperands())
        visit(operand);
  }

private:
  void visitArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isParameter(argument))
      choices.insert({argument.getArgNumber()});
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument == loop.getInductionVar())
      for (Value part : {loop.getLowerBound(), loop.getStep()})
        visit(part);
    auto loop = dyn_cast<scf::WhileOp>(parent);
    if (!loop)
      return;
    unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getAfterBody())
      return visit(loop.getConditionOp().getArgs()[number]);
    visit(loop.getInits()[number]);
    visit(loop.getYieldOp().getOperand(number));
  }

  bool isParameter(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner()->getParentOp() == kernel &&
           isa<IntegerType>(argument.getType());
  }

  void addFactors(Value value, std::set<uint32_t> &factors) const {
    if (isParameter(value))
      factors.insert(cast<BlockArgument>(value).getArgNumber());
    else if (Operation *op = value.getDefiningOp();
             isa_and_nonnull<arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      for (Value operand : op->getOperands())
        addFactors(operand, factors);
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
  StrideChoices &choices;
  llvm::DenseSet<Value> visited;
};

} // namespace

void regrain::addStrides(grain::KernelOp kernel, Value address, int64_t widest,
                         StrideChoices &choices) {
  StrideSearch(kernel, widest, choices).visit(address);
}

/// Takes the parameter that is in most sets, and of several the last: a program names the inner
/// dimensions last.
std::set<uint32_t> regrain::chooseStrides(StrideChoices choices) {
  std::set<uint32_t> chosen;
  while (!choices.empty()) {
    std::map<uint32_t, unsigned> often;
    for (const std::set<uint32_t> &choice : choices)
      for (uint32_t parameter : choice)
        ++often[parameter];
    uint32_t best = often.begin()->first;
    for (auto [parameter, count] : often)
      best = count >= often[best] ? parameter : best;
    chosen.insert(best);
    std::erase_if(choices, [&](const std::set<uint32_t> &choice) { return choice.contains(best); });
  }
  return chosen;
}
