//===- Addresses.cpp - Addresses as polynomials ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/Addresses.h"

#include "compiler/Analysis/AddressSum.h"
#include "compiler/Analysis/ZeroBits.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

LoadAddresses::LoadAddresses(grain::ThreadsOp threads, AffineForms &forms,
                             const Uniformity &uniformity, Recomputation &recomputation,
                             std::optional<TiledLoop> loop)
    : threads(threads), forms(forms), uniformity(uniformity), recomputation(recomputation),
      loop(loop), layout(DataLayout::closest(threads)) {}

std::optional<unsigned> LoadAddresses::dimensionOf(unsigned symbol) const {
  if (symbols[symbol].kind == Kind::Iteration)
    return stepDimension;
  auto argument = dyn_cast<BlockArgument>(symbols[symbol].value);
  if (!argument || argument.getOwner()->getParentOp() != threads)
    return std::nullopt;
  return argument.getArgNumber();
}

unsigned LoadAddresses::zeroBitsOf(unsigned symbol) const {
  const auto &[value, kind] = symbols[symbol];
  return kind == Kind::Signed || kind == Kind::Unsigned ? regrain::zeroBitsOf(value) : 0;
}

Polynomial LoadAddresses::symbol(Value value, Kind kind) {
  auto [number, isNew] = numbers.try_emplace({value, unsigned(kind)}, symbols.size());
  if (isNew)
    symbols.push_back({value, kind});
  Polynomial made;
  made.terms[{number->second}] = 1;
  return made;
}

/// Returns whether the number that an operation computes does not wrap.
bool LoadAddresses::isLookedThrough(Value value) {
  auto flags = value.getDefiningOp<arith::ArithIntegerOverflowFlagsInterface>();
  if (flags && flags.hasNoSignedWrap())
    return true;
  const Affine form = forms.of(value);
  return form.summands.size() != 1 || form.summands.front().variable.value != value;
}

std::optional<Polynomial> LoadAddresses::ofArithmetic(Operation *op) {
  std::optional<Polynomial> first = ofValue(op->getOperand(0));
  if (!first)
    return std::nullopt;
  if (isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> amount = getConstantIntValue(op->getOperand(1));
    if (!amount || *amount < 0 || *amount >= 32)
      return std::nullopt;
    return first->times(Polynomial::constant(int64_t(1) << *amount));
  }
  std::optional<Polynomial> second = ofValue(op->getOperand(1));
  if (!second)
    return std::nullopt;
  if (isa<arith::MulIOp>(op))
    return first->times(*second);
  first->add(isa<arith::AddIOp>(op) ? 1 : -1, *second);
  return first;
}

static bool isNarrow(Type type) { return type.isIndex() || type.getIntOrFloatBitWidth() <= 64; }

std::optional<Polynomial> LoadAddresses::compute(Value value) {
  if (!isNarrow(value.getType()))
    return std::nullopt;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Polynomial::constant(*constant);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner()->getParentOp() == threads)
    return threads.getKnownIterations(argument.getArgNumber()) == 1 ? Polynomial() : symbol(value);
  if (loop && value == loop->loop.getInductionVar())
    return counter();
  std::optional<Polynomial> made;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtSIOp>(op) ||
      (isa_and_nonnull<arith::TruncIOp>(op) && isLookedThrough(value)))
    made = ofValue(op->getOperand(0));
  else if (isa_and_nonnull<arith::ExtUIOp>(op))
    made = ofUnsigned(op->getOperand(0));
  else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op) &&
           (value.getType().isInteger(64) || isLookedThrough(value)))
    made = ofArithmetic(op);
  return made && made->isSmall() ? made : common(value);
}

/// Returns the counter of the loop.
std::optional<Polynomial> LoadAddresses::counter() {
  std::optional<Polynomial> sum = ofValue(loop->loop.getLowerBound());
  if (!sum)
    return std::nullopt;
  Value value = loop->loop.getInductionVar();
  sum->add(loop->step, symbol(value, Kind::Iteration));
  sum->add(loop->step * loop->iterations, symbol(value, Kind::TileNumber));
  return sum;
}

/// Returns the polynomial of a narrower value, read as an unsigned number.
std::optional<Polynomial> LoadAddresses::ofUnsigned(Value value) {
  if (forms.isAtLeast(forms.of(value), 0, facts))
    return ofValue(value);
  auto sum = value.getDefiningOp<arith::AddIOp>();
  std::optional<unsigned> multiple = sum ? multipleIn(sum, forms) : std::nullopt;
  if (!multiple)
    return std::nullopt;
  std::optional<Polynomial> made = common(sum->getOperand(*multiple), /*isUnsigned=*/true);
  std::optional<Polynomial> rest = ofValue(sum->getOperand(1 - *multiple));
  if (!made || !rest)
    return std::nullopt;
  made->add(1, *rest);
  return made;
}

/// Returns a value that is the same for all threads as a symbol, or nothing if it differs.
std::optional<Polynomial> LoadAddresses::common(Value value, bool isUnsigned) {
  if (overlap(uniformity.of(value), Dependence::Threads | Dependence::ThreadMemory) ||
      !recomputation.isPossible(value))
    return std::nullopt;
  return near(value, isUnsigned ? Kind::Unsigned : Kind::Signed);
}

/// Returns a value as another symbol and a constant, if it probably is that, or as a symbol.
Polynomial LoadAddresses::near(Value value, Kind kind) {
  if (!loop || value.getType().isIndex())
    return symbol(value, kind);
  Polynomial own = wrapping.of(value);
  for (const Symbol &other : symbols) {
    if (other.kind != kind || other.value.getType() != value.getType())
      continue;
    Polynomial rest = own;
    rest.add(-1, wrapping.of(other.value));
    int64_t distance = rest.terms.empty() ? 0 : rest.terms.begin()->second;
    if (rest.terms.size() > 1 || (distance && !rest.terms.begin()->first.empty()))
      continue;
    if (value != other.value)
      assumed.push_back({value, other.value, distance, kind == Kind::Unsigned});
    Polynomial made = symbol(other.value, kind);
    made.add(distance, Polynomial::constant(1));
    return made;
  }
  return symbol(value, kind);
}

std::optional<Polynomial> LoadAddresses::ofValue(Value value) {
  auto found = ofPresent.find(value);
  if (found != ofPresent.end())
    return found->second;
  std::optional<Polynomial> made = compute(value);
  ofPresent[value] = made;
  return made;
}

std::optional<int64_t> regrain::wholeBytes(Type type) {
  int64_t bits = 0;
  if (type.isIntOrFloat())
    bits = type.getIntOrFloatBitWidth();
  else if (auto vector = dyn_cast<VectorType>(type);
           vector && vector.getElementType().isIntOrFloat() && !vector.isScalable())
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  if (bits < 8 || bits > 128 || !llvm::isPowerOf2_64(bits))
    return std::nullopt;
  return bits / 8;
}

std::optional<LoadAddress> LoadAddresses::of(Operation *access, Value pointer) {
  facts = forms.factsAt(access);
  ofPresent.clear();
  std::optional<AddressSum> sum = addressSumOf(pointer, layout);
  if (!sum)
    return std::nullopt;
  LoadAddress address = {sum->base, Polynomial::constant(sum->constant)};
  for (const AddressSum::Term &term : sum->terms) {
    std::optional<Polynomial> index = ofValue(term.index);
    if (!index)
      return std::nullopt;
    address.bytes.add(term.bytes, *index);
  }
  bool isKnownBefore = !threads.getBody().isAncestor(address.base.getParentRegion()) ||
                       address.base.getDefiningOp<LLVM::AddressOfOp>();
  if (!isKnownBefore || !address.bytes.isSmall())
    return std::nullopt;
  return address;
}

Value regrain::createWide(OpBuilder &builder, Location location, Value value, bool isUnsigned) {
  Type i64 = builder.getI64Type();
  if (value.getType() == i64)
    return value;
  if (value.getType().isIndex())
    return builder.create<arith::IndexCastOp>(location, i64, value);
  if (isUnsigned)
    return builder.create<arith::ExtUIOp>(location, i64, value);
  return builder.create<arith::ExtSIOp>(location, i64, value);
}

Value LoadAddresses::createSum(OpBuilder &builder, Location location, const Polynomial &polynomial,
                               IRMapping &known) const {
  auto number = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantIntOp>(location, value, 64);
  };
  Value sum;
  for (const auto &[monomial, factor] : polynomial.terms) {
    Value product;
    for (unsigned symbol : monomial) {
      Value own =
          createWide(builder, location, Recomputation::create(builder, valueOf(symbol), known),
                     isUnsigned(symbol));
      product = product ? builder.create<arith::MulIOp>(location, product, own).getResult() : own;
    }
    if (!product)
      product = number(factor);
    else if (factor != 1)
      product = builder.create<arith::MulIOp>(location, product, number(factor));
    sum = sum ? builder.create<arith::AddIOp>(location, sum, product).getResult() : product;
  }
  return sum ? sum : number(0);
}
