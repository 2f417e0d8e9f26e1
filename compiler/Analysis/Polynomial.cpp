//===- Polynomial.cpp - Integers as polynomials of values -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Polynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

/// Longer sums, and products of more symbols, are symbols themselves.
static constexpr size_t mostTerms = 24, mostSymbols = 4;

Polynomial Polynomial::constant(int64_t value) {
  Polynomial made;
  if (value)
    made.terms[{}] = value;
  return made;
}

void Polynomial::add(int64_t times, const Polynomial &other) {
  for (const auto &[monomial, factor] : other.terms) {
    int64_t &sum = terms[monomial];
    // Unsigned arithmetic wraps; such numbers describe no address.
    sum = int64_t(uint64_t(sum) + uint64_t(times) * uint64_t(factor));
    if (sum == 0)
      terms.erase(monomial);
  }
}

Polynomial Polynomial::times(const Polynomial &other) const {
  Polynomial product;
  for (const auto &[first, factor] : terms)
    for (const auto &[second, otherFactor] : other.terms) {
      Monomial both = first;
      both.insert(both.end(), second.begin(), second.end());
      llvm::sort(both);
      Polynomial part;
      part.terms[both] = otherFactor;
      product.add(factor, part);
    }
  return product;
}

bool Polynomial::isSmall() const {
  return terms.size() <= mostTerms &&
         llvm::all_of(terms, [](const auto &term) { return term.first.size() <= mostSymbols; });
}

const Polynomial &Polynomials::of(Value value) {
  auto found = known.find(value);
  if (found == known.end()) {
    Polynomial made = compute(value);
    if (!made.isSmall())
      made = symbol(value);
    found = known.try_emplace(value, std::move(made)).first;
  }
  return found->second;
}

Polynomial Polynomials::compute(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Polynomial::constant(*constant);
  if (Operation *op = value.getDefiningOp())
    return ofOperation(op, value);
  auto argument = cast<BlockArgument>(value);
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<grain::ThreadsOp>(owner) && argument.getArgNumber() < 3)
    return add({Symbol::Thread, argument.getArgNumber(), value});
  if (auto loop = dyn_cast<scf::WhileOp>(owner))
    return ofCarried(loop, argument);
  auto loop = dyn_cast<scf::ForOp>(owner);
  if (!loop || loop.getInductionVar() != value)
    return symbol(value);
  Polynomial made = of(loop.getLowerBound());
  made.add(1, of(loop.getStep()).times(add({Symbol::Trip, 0, value})));
  return made;
}

Value regrain::behindCondition(scf::WhileOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == loop.getAfterBody()
             ? loop.getConditionOp().getArgs()[argument.getArgNumber()]
             : value;
}

Value regrain::stepOf(scf::WhileOp loop, BlockArgument carried) {
  Value next = behindCondition(loop, loop.getYieldOp().getOperand(carried.getArgNumber()));
  auto sum = next.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {};
  for (auto [first, step] : {std::pair(sum.getLhs(), sum.getRhs()), {sum.getRhs(), sum.getLhs()}})
    if (behindCondition(loop, first) == carried &&
        !loop->isAncestor(step.getParentBlock()->getParentOp()))
      return step;
  return {};
}

Polynomial Polynomials::ofCarried(scf::WhileOp loop, BlockArgument argument) {
  if (Value behind = behindCondition(loop, argument); behind != argument)
    return of(behind);
  Value step = stepOf(loop, argument);
  if (!step)
    return symbol(argument);
  Polynomial made = of(loop.getInits()[argument.getArgNumber()]);
  made.add(1, of(step).times(add({Symbol::Trip, 0, argument})));
  return made;
}

Polynomial Polynomials::ofOperation(Operation *op, Value value) {
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return of(op->getOperand(0));
  if (auto size = dyn_cast<grain::BlockSizeOp>(op))
    return add({Symbol::BlockSize, unsigned(size.getDimension()), value});
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    Polynomial sum = of(op->getOperand(0));
    sum.add(isa<arith::AddIOp>(op) ? 1 : -1, of(op->getOperand(1)));
    return sum;
  }
  if (isa<arith::MulIOp>(op)) {
    Polynomial first = of(op->getOperand(0));
    return first.times(of(op->getOperand(1)));
  }
  std::optional<int64_t> amount =
      isa<arith::ShLIOp>(op) ? getConstantIntValue(op->getOperand(1)) : std::nullopt;
  if (amount && *amount >= 0 && *amount < 32)
    return of(op->getOperand(0)).times(Polynomial::constant(int64_t(1) << *amount));
  return symbol(value);
}

Polynomial Polynomials::add(const Symbol &symbol) {
  Value key = symbol.value;
  if (symbol.kind == Symbol::BlockSize) { // each reading of a size is a value of its own
    Value &first = sizes[symbol.dimension];
    first = first ? first : key;
    key = first;
  }
  auto [number, isNew] = numbers.try_emplace({key, unsigned(symbol.kind)}, all.size());
  if (isNew)
    all.push_back(symbol);
  Polynomial made;
  made.terms[{number->second}] = 1;
  return made;
}
