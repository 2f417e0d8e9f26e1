//===- SameAddress.cpp - Whether two pointers are equal -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/SameAddress.h"

#include "compiler/Analysis/AddressSum.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

/// The number of integers among which it is searched how they follow from each other.
static constexpr size_t mostKin = 16;
/// The number of operations that may follow each other from what a loop does not change to a value.
static constexpr unsigned mostNested = 6;

/// Reduces the factors modulo 2^bits, to signed numbers.
static Polynomial reduced(const Polynomial &sum, unsigned bits) {
  Polynomial made;
  for (const auto &[monomial, factor] : sum.terms)
    if (int64_t rest = llvm::SignExtend64(uint64_t(factor), bits))
      made.terms[monomial] = rest;
  return made;
}

static Polynomial linear(unsigned symbol) {
  Polynomial made;
  made.terms[{symbol}] = 1;
  return made;
}

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

/// Returns the power of two by which a shift multiplies.
static std::optional<int64_t> factorOf(arith::ShLIOp shift) {
  std::optional<int64_t> amount = constantOf(shift.getRhs());
  bool isInRange = amount && *amount >= 0 && *amount < int64_t(bitsOf(shift)) && *amount < 63;
  return isInRange ? std::optional(int64_t(1) << *amount) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Returns what the integer is modulo 2^n, in sums and multiples of leaves.
Polynomial SameAddress::residueOf(Value value) {
  if (std::optional<int64_t> constant = constantOf(value))
    return Polynomial::constant(*constant);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    Polynomial sum = residueOf(op->getOperand(0));
    sum.add(isa<arith::AddIOp>(op) ? 1 : -1, residueOf(op->getOperand(1)));
    if (sum.isSmall())
      return sum;
  } else if (auto shift = dyn_cast_or_null<arith::ShLIOp>(op); shift && factorOf(shift)) {
    return residueOf(shift.getLhs()).times(Polynomial::constant(*factorOf(shift)));
  } else if (auto product = dyn_cast_or_null<arith::MulIOp>(op)) {
    if (std::optional<int64_t> factor = constantOf(product.getRhs()))
      return residueOf(product.getLhs()).times(Polynomial::constant(*factor));
  }
  return linear(leaves.try_emplace(value, leaves.size()).first->second);
}

/// Returns what the integer has in common with its kin, and the constant behind it.
std::pair<Polynomial, int64_t> SameAddress::residue(Value value) {
  Polynomial common = reduced(residueOf(value), bitsOf(value));
  auto constant = common.terms.extract(Monomial());
  return {common, constant ? constant.mapped() : 0};
}

Polynomial SameAddress::symbol(Value value) {
  auto [number, isNew] = numbers.try_emplace(value, symbols.size());
  if (isNew) {
    Symbol added;
    added.value = value;
    if (unsigned bits = bitsOf(value); bits < 64) {
      auto [common, constant] = residue(value);
      auto family = familyOf.try_emplace({bits, common.terms}, families.size());
      if (family.second)
        families.emplace_back();
      families[family.first->second].push_back(number->second);
      added.kin = family.first->second;
      added.constant = constant;
    }
    symbols.push_back(added);
  }
  return linear(number->second);
}

/// Returns what the operation does to polynomials, if it is one of them. A narrow operation must be
/// exact.
std::optional<Polynomial> SameAddress::ofOperation(Operation *op, bool isExact) {
  if (!isExact)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    Polynomial sum = integer(op->getOperand(0));
    sum.add(isa<arith::AddIOp>(op) ? 1 : -1, integer(op->getOperand(1)));
    return sum;
  }
  if (isa<arith::MulIOp>(op)) {
    Polynomial first = integer(op->getOperand(0));
    return first.times(integer(op->getOperand(1)));
  }
  if (auto shift = dyn_cast<arith::ShLIOp>(op); shift && factorOf(shift))
    return Polynomial(integer(shift.getLhs())).times(Polynomial::constant(*factorOf(shift)));
  return std::nullopt;
}

/// Returns a polynomial that is congruent, modulo 2^64, to the integer as a signed number.
Polynomial SameAddress::ofInteger(Value value) {
  if (std::optional<int64_t> constant = constantOf(value))
    return Polynomial::constant(*constant);
  if (Operation *op = value.getDefiningOp()) {
    auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    bool isExact = bitsOf(value) == 64 || (flags && flags.hasNoSignedWrap());
    if (std::optional<Polynomial> made = ofOperation(op, isExact))
      return *made;
    if (isa<arith::ExtSIOp>(op) ||
        (isa<arith::IndexCastOp>(op) && bitsOf(op->getOperand(0)) <= bitsOf(value)))
      return integer(op->getOperand(0));
  }
  Affine form = forms.of(value);
  if (form.factorOf({value}) != 0)
    return symbol(value);
  Polynomial sum = Polynomial::constant(form.constant);
  for (const Affine::Summand &summand : form.summands)
    sum.add(summand.factor, integer(summand.variable.value));
  return sum;
}

const Polynomial &SameAddress::integer(Value value) {
  auto found = integers.find(value);
  if (found != integers.end())
    return found->second;
  Polynomial made = ofInteger(value);
  if (!made.isSmall())
    made = symbol(value);
  return integers.try_emplace(value, std::move(made)).first->second;
}

//===----------------------------------------------------------------------===//
// Kin
//===----------------------------------------------------------------------===//

int64_t SameAddress::distance(unsigned from, unsigned to) const {
  return llvm::SignExtend64(uint64_t(symbols[to].constant) - uint64_t(symbols[from].constant),
                            bitsOf(symbols[to].value));
}

/// Replaces each symbol by the first of its kin and the distance from it.
Polynomial SameAddress::byFirstKin(const Polynomial &sum) {
  Polynomial made;
  for (const auto &[monomial, factor] : sum.terms) {
    Polynomial product = Polynomial::constant(1);
    for (unsigned number : monomial) {
      const Symbol &own = symbols[number];
      unsigned first = own.kin ? families[*own.kin].front() : number;
      Polynomial shifted = linear(first);
      if (own.kin)
        shifted.add(1, Polynomial::constant(distance(first, number)));
      product = product.times(shifted);
    }
    made.add(factor, product);
  }
  return made;
}

/// Returns true if one sum with the distance is proved to stay within the bits: that of `from`, or
/// that of `to` in the other direction.
bool SameAddress::isShifted(unsigned from, unsigned to, ArrayRef<Affine> facts) {
  unsigned bits = bitsOf(symbols[to].value);
  auto staysWithin = [&](Value value, int64_t shift) {
    Affine form = forms.of(value);
    if (shift < 0)
      return forms.isAtLeast(form, llvm::minIntN(bits) - shift, facts);
    std::optional<Affine> negated = addTimes(Affine(), -1, form);
    return negated && forms.isAtLeast(*negated, shift - llvm::maxIntN(bits), facts);
  };
  int64_t shift = distance(from, to);
  return staysWithin(symbols[from].value, shift) || staysWithin(symbols[to].value, -shift);
}

/// Returns true if every symbol of the sum is proved to be the first of its kin and the distance,
/// directly or by way of others of its kin.
bool SameAddress::areShifted(const Polynomial &sum, Operation *at) {
  SmallVector<Affine> facts = forms.factsAt(at);
  llvm::DenseMap<unsigned, llvm::SmallDenseSet<unsigned>> proved; // by family
  auto prove = [&](unsigned family) {
    const Kin &kin = families[family];
    auto [found, isNew] = proved.try_emplace(family);
    SmallVector<unsigned> open = {kin.front()};
    found->second.insert(kin.front());
    while (isNew && kin.size() <= mostKin && !open.empty()) {
      unsigned from = open.pop_back_val();
      for (unsigned to : kin)
        if (!found->second.contains(to) && isShifted(from, to, facts)) {
          found->second.insert(to);
          open.push_back(to);
        }
    }
    return found;
  };
  for (const auto &[monomial, factor] : sum.terms)
    for (unsigned number : monomial)
      if (std::optional<unsigned> kin = symbols[number].kin;
          kin && number != families[*kin].front() && !prove(*kin)->second.contains(number))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

std::optional<SameAddress::Address> SameAddress::compute(Value pointer) {
  std::optional<AddressSum> sum = addressSumOf(pointer, layout);
  if (!sum)
    return std::nullopt;
  Address address;
  address.base = sum->base;
  address.offset = Polynomial::constant(sum->constant);
  for (const AddressSum::Term &term : sum->terms)
    address.offset.add(term.bytes, integer(term.index));
  if (!address.offset.isSmall())
    return std::nullopt;
  address.common = byFirstKin(address.offset);
  return address;
}

const std::optional<SameAddress::Address> &SameAddress::of(Value pointer) {
  auto found = addresses.find(pointer);
  if (found == addresses.end())
    found = addresses.try_emplace(pointer, compute(pointer)).first;
  return found->second;
}

bool SameAddress::areEqual(Value first, Value second, Operation *at) {
  std::optional<Address> a = of(first), b = of(second);
  if (!a || !b || a->base != b->base)
    return false;
  if (a->offset.terms == b->offset.terms)
    return true;
  return a->common.terms == b->common.terms && areShifted(a->offset, at) &&
         areShifted(b->offset, at);
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

/// Returns whether the value is the same in all iterations of the loop that compute it.
static bool isSameInAll(scf::ForOp loop, Value value, unsigned depth = 0) {
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < mostNested && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isSameInAll(loop, operand, depth + 1); });
}

/// Returns nothing if the offset is no linear function of the loop's counter.
std::optional<SameAddress::Motion> SameAddress::motionIn(scf::ForOp loop,
                                                         const Polynomial &offset) const {
  auto counter = numbers.find(loop.getInductionVar());
  if (counter == numbers.end())
    return std::nullopt;
  Motion motion;
  for (const auto &[monomial, factor] : offset.terms) {
    Monomial others = monomial;
    llvm::erase(others, counter->second);
    size_t degree = monomial.size() - others.size();
    if (degree > 1 || !llvm::all_of(others, [&](unsigned number) {
          return isSameInAll(loop, symbols[number].value);
        }))
      return std::nullopt;
    Polynomial part;
    part.terms[others] = factor;
    (degree == 1 ? motion.slope : motion.rest).add(1, part);
  }
  return motion;
}

bool SameAddress::areEqualByCounter(Value first, scf::ForOp in, Value second, scf::ForOp loop) {
  Value counter = loop.getInductionVar(), counterpart = in.getInductionVar();
  std::optional<Address> a = of(first), b = of(second);
  if (!a || !b || a->base != b->base || counter.getType() != counterpart.getType())
    return false;
  unsigned replacement = *symbol(counterpart).terms.begin()->first.begin();
  Polynomial translated;
  for (const auto &[monomial, factor] : b->offset.terms) {
    Monomial symbolsOfFirst = monomial;
    for (unsigned &number : symbolsOfFirst) {
      Value value = symbols[number].value;
      if (value == counter)
        number = replacement;
      else if (loop->isAncestor(value.getParentBlock()->getParentOp()))
        return false;
    }
    llvm::sort(symbolsOfFirst);
    Polynomial term;
    term.terms[symbolsOfFirst] = factor;
    translated.add(1, term);
  }
  return a->offset.terms == translated.terms;
}

std::optional<unsigned> SameAddress::iterationsBetween(Value earlier, Value later, scf::ForOp loop,
                                                       unsigned most) {
  std::optional<Address> a = of(earlier), b = of(later);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!a || !b || !step || a->base != b->base || !isSameInAll(loop, a->base))
    return std::nullopt;
  std::optional<Motion> from = motionIn(loop, a->offset), to = motionIn(loop, b->offset);
  if (!from || !to || from->slope.terms.empty() || from->slope.terms != to->slope.terms)
    return std::nullopt;
  Polynomial distance = from->rest;
  distance.add(-1, to->rest);
  Polynomial moved;
  for (unsigned count = 1; count <= most; ++count) {
    moved.add(*step, from->slope);
    if (moved.terms == distance.terms)
      return count;
  }
  return std::nullopt;
}
