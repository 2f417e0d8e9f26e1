//===- budget.h - What a class of launches may spend ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The budget of a run goes to the classes of launches by the time that they take in the program, as
// far as it has been seen. Before a sample spends anything, it is planned how many candidates the
// rest of its allowance pays for.
//
// None of this needs a clock: times are given.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace regrain {

/// One class of launches. Times are in seconds.
struct ClassAccount {
  double program = 0; ///< what its launches have taken in the program, or take in a surveyed run
  double spent = 0;   ///< what its samples have taken of the budget
  bool isSurveyed = false; ///< its time in a whole run is known
  bool isNew = true;       ///< it has not been sampled yet
  bool isTold = false;     ///< another class of the kernel has a choice, which it tries first
  /// What its further samples can use, as far as that is known.
  double need = std::numeric_limits<double>::infinity();
};

/// The whole run.
struct BudgetState {
  double budget;  ///< seconds that the run may spend
  double left;    ///< of them
  double program; ///< what the launches of all classes have taken in the program, or take in a
                  ///< surveyed run
  /// The sum of claimOf() over the surveyed classes that still have launches to sample.
  double claims = 0;
  double leastShare = 0; ///< of the budget, for a surveyed class
};

/// Returns the part of the budget that each of so many surveyed classes may spend, however little
/// time it takes: a class that takes little of a program at its originals may take most of it once
/// the others are tuned. All classes together have a fifth of the budget in this way.
[[nodiscard]] double leastShareOf(size_t classes);

/// Returns what a class may still demand: its part of the budget, by its part of the program's
/// time, minus what it has spent, but no more than it can use. A surveyed class that has spent its
/// part still claims a hundredth of it, so that it gets what is left when no other one claims more.
[[nodiscard]] double claimOf(const ClassAccount &own, const BudgetState &run);

/// Returns what a class may spend at its next sample: its share of the budget by its part of the
/// program's time, minus what it has spent, but at most 9/10 of what is left, because the largest
/// class may come last, and at most 1000 times what its launches have taken. A class that has less
/// gets 1/20 of what is left, and a second as long as that is at most a quarter of it: a
/// program may launch each kernel once.
/// Later samples leave a quarter of the budget to classes that have not come yet. A new class to
/// which others of its kernel tell what to try leaves it as well, but it gets 1/8 of what is left.
/// A surveyed class gets its part of what is left, by the claims of the classes that still come
/// (each of which claims at least `leastShare` of the budget), or, at later samples, its claim and
/// half of what no class claims. Nothing else limits it: what it leaves, no other class needs.
[[nodiscard]] double allowanceOf(const ClassAccount &own, const BudgetState &run);

/// Returns the least whole budget, in full seconds, at which the allowance would have been
/// `needed`.
[[nodiscard]] double budgetFor(double needed, const ClassAccount &own, const BudgetState &run);

/// What a launch of a class costs at a sample, in seconds.
struct LaunchCosts {
  double original; ///< on the device
  double run;      ///< with the memory restored before it
  double verify;   ///< the same, with the result compared after it
};

/// How a sample is measured.
struct RacePlan {
  /// Single launches decide (LongRace), because each takes long. Otherwise many pairs do (Halving).
  bool isOfLongLaunches = false;
  bool isTold = false; ///< the one candidate on which other classes agree gets fresh pairs at once
  size_t tries = 0;    ///< the number of candidates that the allowance pays for
  bool paysForOne = false; ///< the allowance suffices for one candidate and its fresh pairs
  double reserve = 0;      ///< seconds for the fresh pairs that confirm the best
  double forAll = 0;       ///< seconds that all candidates would take
};

/// Launches from this time on are averages by themselves, so that few of them tell enough.
inline constexpr double longLaunchSeconds = 0.05;
/// From this time on they do, too, if the allowance does not pay for more.
inline constexpr double ratherLongLaunchSeconds = 0.005;

/// Plans a sample with `candidates` candidates. The first candidate is always tried, unless
/// launches are long and the allowance does not suffice to decide on it.
[[nodiscard]] RacePlan planRace(size_t candidates, const LaunchCosts &costs, double allowance);

/// The fresh pairs, at the first look, of a candidate on which the other classes of a kernel agree.
inline constexpr uint32_t toldPairs = 12;

/// Plans a sample that tries the one candidate on which the other classes of the kernel agree. It
/// was not selected by timings of this class, so that its first pairs are fresh.
[[nodiscard]] RacePlan planTold(const LaunchCosts &costs, double allowance);

/// Returns whether one more candidate may be compared if `left` of the allowance will be left then,
/// and `right` candidates wait for their first pairs. Sums in another order and other roundings are
/// compared number by number on the host, which takes longer than the plan expects. Requires a plan
/// of short launches.
[[nodiscard]] bool paysForAnother(const RacePlan &plan, const LaunchCosts &costs, size_t right,
                                  double left);

/// Returns the seconds that so many samples can use at most: the first tries `candidates`
/// candidates, and each further one those of them that stay in the race.
[[nodiscard]] double needOf(size_t samples, size_t candidates, const LaunchCosts &costs);

/// The number of candidates that are timed again at later samples.
inline constexpr size_t mostRunnersUp = 4;

/// Returns the seconds that a race of long launches takes for `candidates` candidates, without the
/// fresh pairs: each runs once, and the original after every second one.
[[nodiscard]] double longRaceSeconds(size_t candidates, const LaunchCosts &costs);

/// Returns the seconds of the least number of fresh pairs of long launches.
[[nodiscard]] double longReserveSeconds(const LaunchCosts &costs);

} // namespace regrain
