//===- LoopTrips.cpp - How often loops run, by a launch -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoopTrips.h"

#include "compiler/Analysis/LoopsAround.h"
#include "compiler/Analysis/Polynomial.h"

using namespace mlir;
using namespace regrain;

namespace {

bool isCoordinateOfBlock(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<grain::BlocksOp>(argument.getOwner()->getParentOp()) &&
         argument.getArgNumber() < 3;
}

/// Returns the number of an integer that the launch passes.
std::optional<unsigned> parameterOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isParameter = argument && isa<grain::KernelOp>(argument.getOwner()->getParentOp()) &&
                     isa<IntegerType>(value.getType());
  return isParameter ? std::optional(argument.getArgNumber()) : std::nullopt;
}

class TripsOfLoops {
public:
  /// Returns nothing if a launch does not tell the trips.
  std::optional<FootprintTrips> of(scf::ForOp loop, unsigned number) {
    Polynomial range = polynomials.of(loop.getUpperBound());
    range.add(-1, polynomials.of(loop.getLowerBound()));
    FootprintTrips made;
    made.loop = number;
    for (const auto &[monomial, factor] : range.terms) {
      std::optional<TripTerm> term = termOf(monomial, factor);
      if (term)
        made.range.push_back(std::move(*term));
      else if (factor > 0 || !isNeverNegative(monomial))
        return std::nullopt;
    }
    const Polynomial &step = polynomials.of(loop.getStep());
    if (step.terms.size() != 1)
      return std::nullopt;
    std::optional<TripTerm> term = termOf(step.terms.begin()->first, step.terms.begin()->second);
    if (!term)
      return std::nullopt;
    made.step = std::move(*term);
    return made;
  }

private:
  std::optional<TripTerm> termOf(const Monomial &monomial, int64_t factor) {
    TripTerm term;
    term.factor = factor;
    for (unsigned each : monomial) {
      const Symbol &symbol = polynomials.symbols()[each];
      if (symbol.kind == Symbol::BlockSize)
        term.sizes.push_back(symbol.dimension);
      else if (std::optional<unsigned> parameter = parameterOf(symbol.value))
        term.parameters.push_back(*parameter);
      else
        return std::nullopt;
    }
    return term;
  }

  /// A product that is never negative may be left out where it is subtracted: the loop then runs at
  /// most as often.
  bool isNeverNegative(const Monomial &monomial) {
    return llvm::all_of(monomial, [&](unsigned each) {
      const Symbol &symbol = polynomials.symbols()[each];
      return symbol.kind != Symbol::Other || isCoordinateOfBlock(symbol.value);
    });
  }

  Polynomials polynomials;
};

} // namespace

std::vector<FootprintTrips> regrain::tripsOf(grain::KernelOp kernel) {
  LoopsAround loops(kernel);
  TripsOfLoops trips;
  std::vector<FootprintTrips> found;
  for (auto [op, number] : loops.ofUnknownLength())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      if (std::optional<FootprintTrips> made = trips.of(loop, number))
        found.push_back(std::move(*made));
  return found;
}
