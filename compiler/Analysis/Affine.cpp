//===- Affine.cpp - Integers as affine forms ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Affine.h"

#include "compiler/Analysis/AffineTerms.h"
#include "compiler/Analysis/ZeroBits.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

/// Forms with more summands are of no use to any caller.
constexpr size_t maxSummands = 12;
constexpr unsigned maxDepth = 12;
constexpr unsigned maxSteps = 200;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

int64_t Affine::factorOf(Variable variable) const {
  for (const Summand &summand : summands)
    if (summand.variable == variable)
      return summand.factor;
  return 0;
}

bool regrain::operator==(const Affine &a, const Affine &b) {
  return a.constant == b.constant && a.summands.size() == b.summands.size() &&
         llvm::all_of(a.summands, [&](const Affine::Summand &summand) {
           return b.factorOf(summand.variable) == summand.factor;
         });
}

/// Returns a + times * b; nothing if that overflows. LLVM's own function computes with APInt, which
/// takes a fifth of the time of compiling many grains.
static std::optional<int64_t> plusTimes(int64_t a, int64_t times, int64_t b) {
  int64_t product, sum;
  if (llvm::MulOverflow(times, b, product) || llvm::AddOverflow(product, a, sum))
    return std::nullopt;
  return sum;
}

std::optional<Affine> regrain::addTimes(const Affine &a, int64_t times, const Affine &b) {
  Affine sum = a;
  std::optional<int64_t> constant = plusTimes(a.constant, times, b.constant);
  if (!constant)
    return std::nullopt;
  sum.constant = *constant;
  for (const Affine::Summand &summand : b.summands) {
    auto *own = llvm::find_if(sum.summands, [&](const Affine::Summand &candidate) {
      return candidate.variable == summand.variable;
    });
    std::optional<int64_t> factor =
        plusTimes(own == sum.summands.end() ? 0 : own->factor, times, summand.factor);
    if (!factor)
      return std::nullopt;
    if (own == sum.summands.end())
      sum.summands.push_back({summand.variable, *factor});
    else
      own->factor = *factor;
  }
  llvm::erase_if(sum.summands, [](const Affine::Summand &summand) { return summand.factor == 0; });
  if (sum.summands.size() > maxSummands)
    return std::nullopt;
  return sum;
}

unsigned regrain::bitsOf(Value value) {
  return value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
}

AffineForms::AffineForms(grain::KernelOp kernel) : kernel(kernel) {}

Affine AffineForms::of(Value value) {
  auto found = forms.find(value);
  if (found != forms.end())
    return found->second;
  Affine form = compute(value);
  forms[value] = form;
  return form;
}

Affine AffineForms::compute(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return constantForm(constant.getSExtValue());
  if (Operation *op = value.getDefiningOp())
    if (std::optional<Affine> form = ofOperation(op))
      return *form;
  return variableForm(value);
}

bool AffineForms::fits(const Affine &form, unsigned bits) {
  if (bits < 64)
    return isWithin(form, llvm::minIntN(bits), llvm::maxIntN(bits));
  // Forms with few summands of narrow values and small factors stay far below the limit.
  constexpr int64_t smallFactor = int64_t(1) << 24;
  return std::abs(form.constant) < smallFactor << 24 &&
         llvm::all_of(
             form.summands,
             [&](const Affine::Summand &summand) {
               return bitsOf(summand.variable.value) <= 32 &&
                      std::abs(summand.factor) <= smallFactor;
             });
}

/// Returns the form of a multiplication or shift by a constant.
std::optional<Affine> AffineForms::ofProduct(Operation *op) {
  APInt factor;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
    return std::nullopt;
  int64_t times = factor.getSExtValue();
  if (isa<arith::ShLIOp>(op)) {
    if (factor.uge(std::min(factor.getBitWidth(), 32u)))
      return std::nullopt;
    times = int64_t(1) << factor.getZExtValue();
  }
  return addTimes(Affine(), times, of(op->getOperand(0)));
}

bool AffineForms::neverCarries(Operation *op) {
  auto sum = dyn_cast<arith::AddIOp>(op);
  return sum && multipleIn(sum, *this);
}

/// Returns the sum that an `or` is if no bit is set in both operands.
std::optional<Affine> AffineForms::ofEither(Operation *op) {
  for (unsigned high : {0u, 1u}) {
    Affine multiple = of(op->getOperand(high)), rest = of(op->getOperand(1 - high));
    uint64_t bits = uint64_t(multiple.constant) | uint64_t(1) << 62;
    for (const Affine::Summand &summand : multiple.summands)
      bits |= uint64_t(summand.factor);
    int64_t limit = int64_t(1) << llvm::countr_zero(bits);
    if (isWithin(rest, 0, limit - 1))
      return addTimes(multiple, 1, rest);
  }
  return std::nullopt;
}

static bool neverWraps(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

/// Returns the form that looks through `op`, or nothing if that is not legal.
std::optional<Affine> AffineForms::ofOperation(Operation *op) {
  std::optional<Affine> form;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    form = addTimes(of(op->getOperand(0)), isa<arith::AddIOp>(op) ? 1 : -1, of(op->getOperand(1)));
  } else if (isa<arith::MulIOp, arith::ShLIOp>(op)) {
    form = ofProduct(op);
  } else if (isa<arith::OrIOp>(op)) {
    return ofEither(op);
  } else if (isa<arith::ExtSIOp>(op)) {
    return of(op->getOperand(0));
  } else if (isa<arith::ExtUIOp>(op)) {
    Affine narrow = of(op->getOperand(0));
    return isAtLeast(narrow, 0) ? std::optional(narrow) : std::nullopt;
  } else if (isa<arith::TruncIOp>(op)) {
    form = of(op->getOperand(0));
    return fits(*form, bitsOf(op->getResult(0))) ? form : std::nullopt;
  }
  if (form && (neverWraps(op) || fits(*form, bitsOf(op->getResult(0))) || neverCarries(op)))
    return form;
  return std::nullopt;
}

Affine AffineForms::inOther(const Affine &form, Differs differs) {
  Affine other = form;
  for (Affine::Summand &summand : other.summands)
    summand.variable.isOther = differs(summand.variable.value);
  return other;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

bool AffineForms::isAtLeast(const Affine &form, int64_t bound, ArrayRef<Affine> facts,
                            Differs differs) {
  std::optional<Affine> rest = addTimes(form, -1, constantForm(bound));
  unsigned steps = 0;
  return rest && search(*rest, facts, differs, 0, steps);
}

bool AffineForms::isWithin(const Affine &form, int64_t least, int64_t most,
                           ArrayRef<Affine> facts) {
  std::optional<Affine> negated = addTimes(Affine(), -1, form);
  return negated && isAtLeast(form, least, facts) && isAtLeast(*negated, -most, facts);
}

static unsigned depthOf(Value value) {
  unsigned depth = 0;
  for (Operation *op = value.getParentBlock()->getParentOp(); op; op = op->getParentOp())
    ++depth;
  return depth;
}

/// The facts of a variable stay where they are: a search that uses them may look up others. While
/// they are computed, there are none.
const SmallVector<Affine> &AffineForms::factsOf(Value value) {
  auto [own, isNew] = known.try_emplace(value);
  if (!isNew)
    return own->second ? *own->second : noFacts;
  auto facts = std::make_unique<SmallVector<Affine>>();
  addFactsOf(value, *facts);
  return *(known[value] = std::move(facts));
}

/// Proves that `form` is not negative. A fact f >= 0 that contains the innermost variable lets that
/// variable be eliminated: form >= form - k * f for any k > 0.
bool AffineForms::search(const Affine &form, ArrayRef<Affine> facts, Differs differs,
                         unsigned depth, unsigned &steps) {
  if (form.summands.empty())
    return form.constant >= 0;
  if (depth == maxDepth || ++steps > maxSteps)
    return false;
  const Affine::Summand &innermost =
      *std::max_element(form.summands.begin(), form.summands.end(),
                        [](const Affine::Summand &a, const Affine::Summand &b) {
                          return depthOf(a.variable.value) < depthOf(b.variable.value);
                        });
  Variable variable = innermost.variable;
  auto eliminate = [&](const Affine &fact) {
    int64_t factor = fact.factorOf(variable);
    if (factor == 0 || (factor > 0) != (innermost.factor > 0) || innermost.factor % factor != 0)
      return false;
    std::optional<Affine> rest = addTimes(form, -(innermost.factor / factor), fact);
    return rest && search(*rest, facts, differs, depth + 1, steps);
  };
  if (llvm::any_of(facts, eliminate))
    return true;
  const SmallVector<Affine> &ownFacts = factsOf(variable.value);
  return llvm::any_of(ownFacts, [&](const Affine &fact) {
    return eliminate(variable.isOther ? inOther(fact, differs) : fact);
  });
}
