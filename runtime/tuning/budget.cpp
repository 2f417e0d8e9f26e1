//===- budget.cpp - What a class of launches may spend --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/budget.h"

#include "runtime/tuning/statistics.h"

#include <algorithm>
#include <cmath>

namespace regrain {
namespace {

constexpr double mostOfRest = 0.9, mostTimesOwn = 1000;
constexpr double shareOfAllClasses = 0.2;
/// What a surveyed class still claims of its part when it has spent that.
constexpr double leastOfPart = 0.01;
constexpr double leastOfRest = 0.05, leastSeconds = 1, leastSecondsOfRest = 0.25;
/// What a surveyed class that has been sampled may have of what no class claims.
constexpr double shareOfUnclaimed = 0.5;
constexpr double keptForNew = 0.25, leastOfTold = 0.125;
/// The time that each candidate takes for being marked in the database.
constexpr double markSeconds = 0.02;

/// Returns what every class may spend.
double floorOf(double left) {
  return std::max(leastOfRest * left, std::min(leastSeconds, leastSecondsOfRest * left));
}

/// Returns what has to be left for a floor of `needed`.
double leftForFloor(double needed) {
  return needed <= leastSeconds ? needed / leastSecondsOfRest : needed / leastOfRest;
}

bool isNewAndTold(const ClassAccount &own) { return own.isNew && own.isTold; }

/// Returns the part of the budget that the class, which is not surveyed, leaves to others.
double keptBy(const ClassAccount &own) { return own.isNew && !own.isTold ? 0 : keptForNew; }

/// Returns what a class that is not surveyed may spend in any case.
double floorOf(const ClassAccount &own, const BudgetState &run, double left) {
  if (isNewAndTold(own))
    return leastOfTold * left;
  return floorOf(std::max(left - keptBy(own) * run.budget, 0.0));
}

/// Returns the budget at which that is `needed`, if `gone` of it is spent.
double budgetForFloor(const ClassAccount &own, double gone, double needed) {
  if (isNewAndTold(own))
    return gone + needed / leastOfTold;
  return (gone + leftForFloor(needed)) / (1 - keptBy(own));
}

double shareOf(const ClassAccount &own, const BudgetState &run) {
  double share = run.program > 0 ? std::min(own.program / run.program, 1.0) : 1.0;
  return own.isSurveyed ? std::max(share, run.leastShare) : share;
}

/// Returns the pairs of launches that Halving times at most.
double mostPairsOf(size_t candidates) {
  double count = double(std::max<size_t>(candidates, 1));
  return 25 * count + 40 * std::log2(count) + 40;
}

/// The fresh pairs of a sample, of three candidates.
constexpr double mostFreshPairs = 3 * confirmingPairs;

/// Returns the seconds of the pairs that Halving begins with.
double firstPairsSeconds(const LaunchCosts &costs) { return Halving::firstPairs * 2 * costs.run; }

} // namespace

double leastShareOf(size_t classes) {
  return shareOfAllClasses / double(std::max<size_t>(classes, 1));
}

double claimOf(const ClassAccount &own, const BudgetState &run) {
  double part = shareOf(own, run) * run.budget;
  return std::min(std::max(part - own.spent, own.isSurveyed ? leastOfPart * part : 0.0), own.need);
}

double allowanceOf(const ClassAccount &own, const BudgetState &run) {
  double left = std::max(run.left, 0.0), claim = claimOf(own, run);
  if (own.isSurveyed) {
    double claims = std::max(run.claims, claim + 1e-9);
    double part = left * claim / claims; // at least the claim, if no more is claimed than is left
    bool takesMore = own.spent > 0 && left > claims;
    double ofUnclaimed = takesMore ? claim + shareOfUnclaimed * (left - claims) : 0;
    return std::max(part, ofUnclaimed);
  }
  double rest = std::max(left - keptBy(own) * run.budget, 0.0);
  return std::max(floorOf(own, run, left),
                  std::min({mostOfRest * rest, claim, mostTimesOwn * own.program}));
}

double budgetFor(double needed, const ClassAccount &own, const BudgetState &run) {
  double share = std::max(shareOf(own, run), 1e-9);
  if (own.isSurveyed)
    return std::ceil(std::max((needed + own.spent) / share, run.budget + 1));
  double gone = run.budget - run.left;
  bool hasShare = needed <= mostTimesOwn * own.program;
  double byFloor = budgetForFloor(own, gone, needed);
  double byShare =
      std::max((gone + needed / mostOfRest) / (1 - keptBy(own)), (needed + own.spent) / share);
  double least = hasShare ? std::min(byFloor, byShare) : byFloor;
  return std::ceil(std::max(least, run.budget + 1));
}

double longRaceSeconds(size_t candidates, const LaunchCosts &costs) {
  // The repeated original counts as one of the originals, but a scatter needs two.
  size_t originals = std::max<size_t>(candidates / 2, 1);
  return double(candidates) * (costs.verify + markSeconds) + double(originals) * costs.run;
}

double longReserveSeconds(const LaunchCosts &costs) { return 2 * leastFewPairs * costs.run; }

double needOf(size_t samples, size_t candidates, const LaunchCosts &costs) {
  auto ofSample = [&](size_t tried) {
    // The repeated original, the control, and what is not foreseen are runs that are compared.
    double others = 3 * (costs.verify + markSeconds);
    if (costs.original >= longLaunchSeconds)
      return others + longRaceSeconds(tried, costs) + longReserveSeconds(costs);
    return others + double(tried) * (costs.verify + markSeconds) +
           (mostPairsOf(tried) + mostFreshPairs) * 2 * costs.run;
  };
  if (samples == 0 || candidates == 0)
    return 0;
  return ofSample(candidates) + double(samples - 1) * ofSample(std::min(candidates, mostRunnersUp));
}

RacePlan planRace(size_t candidates, const LaunchCosts &costs, double allowance) {
  double pair = 2 * costs.run;
  double first = costs.verify + markSeconds + firstPairsSeconds(costs); // of each candidate
  double whole = double(candidates) * (costs.verify + markSeconds) +
                 (mostPairsOf(candidates) + confirmingPairs) * pair;
  RacePlan plan;
  plan.isOfLongLaunches = costs.original >= longLaunchSeconds ||
                          (costs.original >= ratherLongLaunchSeconds && whole > allowance);
  plan.reserve = plan.isOfLongLaunches ? longReserveSeconds(costs) : confirmingPairs * pair;
  plan.forAll = plan.reserve + (plan.isOfLongLaunches ? longRaceSeconds(candidates, costs)
                                                      : double(candidates) * first);
  double rest = allowance - plan.reserve;
  plan.paysForOne = rest >= (plan.isOfLongLaunches ? longRaceSeconds(1, costs) : first);
  if (!plan.isOfLongLaunches) {
    plan.tries = std::clamp(size_t(std::max(rest, 0.0) / first), std::min<size_t>(candidates, 1),
                            candidates);
    return plan;
  }
  while (plan.tries < candidates && longRaceSeconds(plan.tries + 1, costs) <= rest)
    ++plan.tries;
  return plan;
}

RacePlan planTold(const LaunchCosts &costs, double allowance) {
  RacePlan plan;
  plan.isTold = true;
  plan.tries = 1;
  plan.reserve = toldPairs * 2 * costs.run;
  plan.forAll = plan.reserve + costs.verify + markSeconds;
  plan.paysForOne = allowance >= plan.forAll;
  return plan;
}

bool paysForAnother(const RacePlan &plan, const LaunchCosts &costs, size_t right, double left) {
  return right == 0 || left > plan.reserve + double(right + 1) * firstPairsSeconds(costs);
}

} // namespace regrain
