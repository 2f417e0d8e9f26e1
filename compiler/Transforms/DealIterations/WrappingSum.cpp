//===- WrappingSum.cpp - Integers as sums of products ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealIterations/WrappingSum.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// Longer sums and products are of no use here.
static constexpr size_t mostTerms = 16, mostFactors = 4;

WrappingSum WrappingSum::of(int64_t constant) {
  WrappingSum sum;
  if (constant)
    sum.terms[{}] = uint64_t(constant);
  return sum;
}

WrappingSum WrappingSum::ofSymbol(unsigned symbol) {
  WrappingSum sum;
  sum.terms[{symbol}] = 1;
  return sum;
}

WrappingSum WrappingSum::plus(uint64_t times, const WrappingSum &other) const {
  WrappingSum sum = *this;
  for (const auto &[product, factor] : other.terms) {
    uint64_t &own = sum.terms[product];
    own += times * factor;
    if (own == 0)
      sum.terms.erase(product);
  }
  return sum;
}

WrappingSum WrappingSum::times(const WrappingSum &other) const {
  WrappingSum result;
  for (const auto &[first, factor] : terms)
    for (const auto &[second, otherFactor] : other.terms) {
      WrappingSum term;
      Product both = first;
      both.insert(both.end(), second.begin(), second.end());
      llvm::sort(both);
      term.terms[both] = otherFactor;
      result = result.plus(factor, term);
    }
  return result;
}

WrappingSum WrappingSum::factorOf(unsigned symbol) const {
  WrappingSum result;
  for (const auto &[product, factor] : terms)
    if (auto found = llvm::find(product, symbol); found != product.end()) {
      Product rest = product;
      rest.erase(rest.begin() + (found - product.begin()));
      result.terms[rest] = factor;
    }
  return result;
}

bool WrappingSum::contains(unsigned symbol) const {
  return llvm::any_of(terms,
                      [&](const auto &term) { return llvm::is_contained(term.first, symbol); });
}

bool WrappingSum::equals(const WrappingSum &other, unsigned bits) const {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(bits);
  WrappingSum difference = plus(uint64_t(-1), other);
  return llvm::all_of(difference.terms,
                      [&](const auto &term) { return (term.second & mask) == 0; });
}

unsigned WrappingSums::symbolOf(Value value) {
  auto size = value.getDefiningOp<grain::BlockSizeOp>();
  if (size && size.getDimension() == grain::Dimension::X)
    return sizeSymbol;
  auto found = llvm::find(symbols, value);
  if (found == symbols.end())
    found = symbols.insert(found, value);
  return unsigned(found - symbols.begin());
}

WrappingSum WrappingSums::of(Value value) { return compute(value, /*isExact=*/false); }
WrappingSum WrappingSums::exactly(Value value) { return compute(value, /*isExact=*/true); }

WrappingSum WrappingSums::compute(Value value, bool isExact) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return WrappingSum::of(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (op && value.getType().isInteger() && value.getType().getIntOrFloatBitWidth() <= 64) {
    WrappingSum sum = ofOperation(op, isExact);
    bool isSmall = sum.getTerms().size() <= mostTerms &&
                   llvm::all_of(sum.getTerms(),
                                [](const auto &term) { return term.first.size() <= mostFactors; });
    if (isSmall)
      return sum;
  }
  return WrappingSum::ofSymbol(symbolOf(value));
}

/// Returns whether no bit is set in both operands of an `or`: one is a multiple of a power of two,
/// and the other is less.
bool WrappingSums::isDisjoint(Operation *either) {
  for (unsigned high : {0u, 1u}) {
    uint64_t bits = uint64_t(1) << 62;
    WrappingSum multiple = of(either->getOperand(high));
    for (const auto &[product, factor] : multiple.getTerms())
      bits |= factor;
    int64_t limit = int64_t(1) << llvm::countr_zero(bits);
    Affine rest = affine.of(either->getOperand(1 - high));
    if (affine.isWithin(rest, 0, limit - 1))
      return true;
  }
  return false;
}

WrappingSum WrappingSums::ofOperation(Operation *op, bool isExact) {
  Value result = op->getResult(0);
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool mayWrap = isExact && !(flags && flags.hasNoSignedWrap());
  auto operand = [&](unsigned index) { return compute(op->getOperand(index), isExact); };
  if (isa<arith::ExtSIOp>(op))
    return exactly(op->getOperand(0));
  if (isa<arith::TruncIOp>(op) && !isExact)
    return operand(0);
  if (isa<arith::OrIOp>(op) && isDisjoint(op))
    return operand(0).plus(1, operand(1));
  if (!mayWrap && isa<arith::AddIOp, arith::SubIOp>(op))
    return operand(0).plus(isa<arith::AddIOp>(op) ? 1 : uint64_t(-1), operand(1));
  if (!mayWrap && isa<arith::MulIOp>(op))
    return operand(0).times(operand(1));
  APInt by;
  if (!mayWrap && isa<arith::ShLIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&by)) &&
      by.ult(std::min(by.getBitWidth(), 32u)))
    return operand(0).times(WrappingSum::of(int64_t(1) << by.getZExtValue()));
  Affine form = affine.of(result);
  WrappingSum sum = WrappingSum::of(form.constant);
  for (const Affine::Summand &summand : form.summands)
    sum =
        sum.plus(uint64_t(summand.factor), WrappingSum::ofSymbol(symbolOf(summand.variable.value)));
  return sum;
}

Value WrappingSums::create(OpBuilder &builder, Location location, const WrappingSum &sum, Type type,
                           Value size) const {
  unsigned bits = type.getIntOrFloatBitWidth();
  auto constant = [&](uint64_t value) -> Value {
    APInt number = APInt(64, value).trunc(bits);
    return builder.create<arith::ConstantOp>(location, builder.getIntegerAttr(type, number));
  };
  auto fitted = [&](Value value) -> Value {
    unsigned own = value.getType().getIntOrFloatBitWidth();
    if (own == bits)
      return value;
    return own < bits ? builder.create<arith::ExtSIOp>(location, type, value).getResult()
                      : builder.create<arith::TruncIOp>(location, type, value).getResult();
  };
  auto createSize = [&]() -> Value {
    if (size)
      return size;
    return builder.create<grain::BlockSizeOp>(location, builder.getI32Type(), grain::Dimension::X);
  };
  Value all;
  for (const auto &[product, factor] : sum.getTerms()) {
    Value term;
    for (unsigned symbol : product) {
      Value value = fitted(symbol == sizeSymbol ? createSize() : symbols[symbol]);
      term = term ? builder.create<arith::MulIOp>(location, term, value) : value;
    }
    if (!term)
      term = constant(factor);
    else if (factor != 1)
      term = builder.create<arith::MulIOp>(location, term, constant(factor));
    all = all ? builder.create<arith::AddIOp>(location, all, term) : term;
  }
  return all ? all : constant(0);
}
