//===- PassingThreads.cpp - The threads that pass a guard -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageSteps/PassingThreads.h"

#include "compiler/Analysis/ZeroBits.h"
#include "mlir/IR/Matchers.h"
#include <cstdlib>

using namespace mlir;
using namespace regrain;

using Predicate = arith::CmpIPredicate;

/// What keeps sums of 64 bits from wrapping.
static constexpr unsigned mostBits = 32;
static constexpr int64_t mostFactor = 1 << 20;
static constexpr int64_t mostConstant = int64_t(1) << 40;
static constexpr size_t mostSummands = 16;

/// Returns the dimension of the coordinate of a thread that a value is, or nothing.
static std::optional<unsigned> dimensionOf(Value value, grain::ThreadsOp threads) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner()->getParentOp() != threads)
    return std::nullopt;
  return argument.getArgNumber();
}

bool GuardSolver::isComputable(const Affine::Summand &summand) {
  Value value = summand.variable.value;
  return std::abs(summand.factor) <= mostFactor && bitsOf(value) <= mostBits &&
         isCommon(value, uniformity) && recomputation.isPossible(value);
}

/// Adds a side of a comparison to the difference.
bool GuardSolver::addSide(Value side, int64_t times, bool isUnsigned, CoordinateEnd &end) {
  Affine form = forms.of(side);
  if (isUnsigned && !forms.isAtLeast(form, 0)) {
    auto sum = side.getDefiningOp<arith::AddIOp>();
    std::optional<unsigned> multiple = sum ? multipleIn(sum, forms) : std::nullopt;
    Value base = multiple ? sum->getOperand(*multiple) : side;
    end.unsignedPart.push_back({{base}, times});
    if (!isComputable(end.unsignedPart.back()))
      return false;
    form = multiple ? forms.of(sum->getOperand(1 - *multiple)) : Affine();
  }
  std::optional<Affine> difference = addTimes(end.difference, times, form);
  if (difference)
    end.difference = *difference;
  return difference.has_value();
}

/// Returns what is added to the end of a coordinate that a comparison with 0 has; nothing if it has
/// none.
static std::optional<int64_t> distanceOf(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
  case Predicate::ult:
    return -1;
  case Predicate::sle:
  case Predicate::ule:
  case Predicate::sge:
  case Predicate::uge:
    return 0;
  case Predicate::sgt:
  case Predicate::ugt:
    return 1;
  default:
    return std::nullopt;
  }
}

/// Adds a comparison of one coordinate with what is the same for all threads.
bool GuardSolver::addComparison(const GuardCondition &condition, PassingThreads &passing) {
  auto compare = condition.value.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  Predicate predicate =
      condition.holds ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
  // A number that is not 0 is above it, if it has no sign.
  if (predicate == Predicate::ne && matchPattern(compare.getRhs(), m_Zero()))
    predicate = Predicate::ugt;
  std::optional<int64_t> distance = distanceOf(predicate);
  CoordinateEnd end = {};
  bool isUnsigned = comparesUnsigned(predicate);
  if (!distance || !addSide(compare.getLhs(), 1, isUnsigned, end) ||
      !addSide(compare.getRhs(), -1, isUnsigned, end))
    return false;
  std::optional<int64_t> factor;
  Affine rest;
  rest.constant = end.difference.constant;
  for (const Affine::Summand &summand : end.difference.summands) {
    std::optional<unsigned> dimension = dimensionOf(summand.variable.value, threads);
    if (dimension && threads.getKnownIterations(*dimension) == 1)
      continue;
    if (!dimension) {
      rest.summands.push_back(summand);
      if (!isComputable(summand))
        return false;
    } else if (factor) {
      return false;
    } else {
      factor = summand.factor;
      end.dimension = *dimension;
    }
  }
  if (!factor && recomputation.isPossible(condition.value)) {
    passing.common.push_back(condition);
    return true;
  }
  if (!factor || std::abs(*factor) != 1 || std::abs(rest.constant) > mostConstant ||
      rest.summands.size() > mostSummands)
    return false;
  bool isLess = predicate == Predicate::slt || predicate == Predicate::sle ||
                predicate == Predicate::ult || predicate == Predicate::ule;
  end.isUpper = isLess == (*factor > 0);
  end.sign = -*factor;
  end.offset = *distance * *factor;
  end.difference = rest;
  passing.ends.push_back(end);
  return true;
}

bool GuardSolver::add(const GuardCondition &condition, PassingThreads &passing) {
  if (!isCommon(condition.value, uniformity))
    return addComparison(condition, passing);
  passing.common.push_back(condition);
  return recomputation.isPossible(condition.value);
}

std::optional<PassingThreads> GuardSolver::solve(const LoadGuard &guard) {
  SmallVector<GuardCondition> conjuncts;
  for (const GuardCondition &condition : guard)
    addConjuncts(condition, conjuncts);
  PassingThreads passing;
  for (const GuardCondition &condition : conjuncts)
    if (!add(condition, passing))
      return std::nullopt;
  return passing;
}

namespace {

/// Creates the ends of a box.
class BoxMaker {
public:
  BoxMaker(OpBuilder &builder, grain::ThreadsOp threads, const IRMapping &known)
      : builder(builder), location(threads.getLoc()), created(known) {}

  Value recompute(Value value);
  Value both(Value first, Value second) {
    return first ? builder.create<arith::AndIOp>(location, first, second).getResult() : second;
  }
  Value constant(int64_t value, unsigned bits) {
    return builder.create<arith::ConstantIntOp>(location, value, bits);
  }
  Value valueOf(const CoordinateEnd &end);
  void narrow(Value &own, Value end, bool isUpper, int64_t count);

private:
  void add(Value &sum, const Affine::Summand &summand, bool isUnsigned);

  OpBuilder &builder;
  Location location;
  IRMapping created;
};

} // namespace

/// Creates a value that may be poison in the program, as any number then.
Value BoxMaker::recompute(Value value) {
  Value own = Recomputation::create(builder, value, created);
  if (isa<BlockArgument>(own) || matchPattern(own, m_Constant()))
    return own;
  return builder.create<LLVM::FreezeOp>(location, own);
}

void BoxMaker::add(Value &sum, const Affine::Summand &summand, bool isUnsigned) {
  Value own = recompute(summand.variable.value), factor = constant(summand.factor, 64);
  Type wide = builder.getI64Type();
  own = isUnsigned ? builder.create<arith::ExtUIOp>(location, wide, own).getResult()
                   : builder.create<arith::ExtSIOp>(location, wide, own).getResult();
  own = builder.create<arith::MulIOp>(location, own, factor);
  sum = builder.create<arith::AddIOp>(location, sum, own);
}

Value BoxMaker::valueOf(const CoordinateEnd &end) {
  Value sum = constant(end.difference.constant, 64);
  for (const Affine::Summand &summand : end.difference.summands)
    add(sum, summand, /*isUnsigned=*/false);
  for (const Affine::Summand &summand : end.unsignedPart)
    add(sum, summand, /*isUnsigned=*/true);
  sum = builder.create<arith::MulIOp>(location, sum, constant(end.sign, 64));
  return builder.create<arith::AddIOp>(location, sum, constant(end.offset, 64));
}

/// Lets the coordinates end at `end`, if they do not end before. What is cut off is not in the
/// block; if nothing is left, the first coordinate is above the last one.
void BoxMaker::narrow(Value &own, Value end, bool isUpper, int64_t count) {
  Value least = constant(isUpper ? -1 : 0, 64), most = constant(isUpper ? count - 1 : count, 64);
  end = builder.create<arith::MinSIOp>(location, most,
                                       builder.create<arith::MaxSIOp>(location, least, end));
  end = builder.create<arith::TruncIOp>(location, builder.getI32Type(), end);
  if (own && isUpper)
    own = builder.create<arith::MinSIOp>(location, own, end);
  else
    own = own ? builder.create<arith::MaxSIOp>(location, own, end).getResult() : end;
}

ThreadBox regrain::createBox(OpBuilder &builder, const PassingThreads &passing,
                             grain::ThreadsOp threads, ArrayRef<int64_t> block,
                             const IRMapping &known) {
  BoxMaker maker(builder, threads, known);
  IRMapping single(known);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (block[dimension] == 1)
      single.map(threads.getBody().getArgument(dimension), maker.constant(0, 32));
  BoxMaker common(builder, threads, single);
  ThreadBox box;
  for (const GuardCondition &condition : passing.common) {
    Value own = common.recompute(condition.value);
    if (!condition.holds)
      own = builder.create<arith::XOrIOp>(threads.getLoc(), own, maker.constant(1, 1));
    box.exists = maker.both(box.exists, own);
  }
  for (const CoordinateEnd &end : passing.ends)
    maker.narrow(end.isUpper ? box.hi[end.dimension] : box.lo[end.dimension], common.valueOf(end),
                 end.isUpper, block[end.dimension]);
  return box;
}
