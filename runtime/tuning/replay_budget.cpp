//===- replay_budget.cpp - What a class spends on its samples -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain.h"
#include "runtime/tuning/not_tried.h"
#include "runtime/tuning/replay_tuner.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace regrain {

ClassAccount ReplayTuner::account() const {
  double seen = double(launches) * originalMicroseconds / 1e6;
  return {survey ? std::max(seen, survey->seconds) : seen,
          spentSeconds,
          survey.has_value(),
          sampled.empty(),
          evidence.hasChoiceElsewhere(ownClass),
          need()};
}

/// What further samples cost is known after the first one, and how many there are from a survey.
double ReplayTuner::need() const {
  if (!survey || sampled.empty())
    return std::numeric_limits<double>::infinity();
  auto begun = size_t(std::bit_width(launches)), all = size_t(std::bit_width(survey->launches));
  size_t samples = std::min(all - std::min(begun, all), mostSamples - sampled.size());
  return needOf(samples, candidates.size(), timedCosts());
}

bool ReplayTuner::mayBeSampled() const {
  return !isOver && !candidates.empty() && sampled.size() < mostSamples &&
         (!survey || std::bit_ceil(launches + 1) <= survey->launches);
}

/// Returns whether a later sample may try what this one has not tried, which is last among the
/// candidates.
bool ReplayTuner::leavesUntried() const {
  return candidates.size() > 1 && candidates.back().standing.samples.empty() && mayBeSampled();
}

/// Returns whether what is timed may take less than the survey says: a part of the launch, or the
/// only launch without what it waited for. The latter is worth a snapshot to a class that takes
/// most of the program.
bool ReplayTuner::mayCostLess() const {
  bool mayBeParted = kernel.entry().blocks_work_alone() && !kernel.entry().cluster() &&
                     costs.original >= longLaunchSeconds;
  bool isMost = survey->seconds > session.budgetState().program / 2;
  return mayBeParted || (survey->launches == 1 && isMost);
}

/// The program's own launch is the first timing of the class. The host's clock may have counted
/// what only this launch waited for; it takes no longer than all launches of the surveyed run.
void ReplayTuner::beginBudget(const Replay &replay) {
  double own = replay.ownSeconds();
  if (survey)
    own = std::min(own, survey->seconds);
  if (sampled.empty()) {
    originalMicroseconds = own * 1e6;
    costs = {own, own, own};
  }
  atBegin = session.budgetState();
  stopAt = atBegin.left - allowanceOf(account(), atBegin);
}

/// Returns the costs of the launches that are timed.
LaunchCosts ReplayTuner::timedCosts() const {
  double less = costs.original * (1 - partShare);
  return {costs.original - less, costs.run - less, costs.verify - less};
}

/// If a part is timed, the best is also run as a whole, perhaps with the control.
RacePlan ReplayTuner::planFor(double allowance) const {
  double whole = part ? 2 * costs.verify : 0;
  RacePlan plan = planRace(candidates.size(), timedCosts(), allowance - whole);
  plan.reserve += whole;
  plan.forAll += whole;
  if (part || plan.isOfLongLaunches || plan.tries == candidates.size() || !told())
    return plan;
  RacePlan ofOne = planTold(costs, allowance);
  ofOne.forAll = plan.forAll;
  return ofOne;
}

/// Returns the candidate on which the other classes of the kernel agree, if the class has timed
/// none.
std::optional<std::string> ReplayTuner::told() const {
  std::optional<std::string> id = evidence.agreed(ownClass);
  bool isFirst = std::ranges::all_of(
      candidates, [](const Candidate &each) { return each.standing.samples.empty(); });
  bool isKnown = std::ranges::any_of(candidates, [&](auto &each) { return each.id == id; });
  return isFirst && isKnown ? id : std::nullopt;
}

/// A sample that would end without a decision is not begun, nor one that would drop candidates
/// because there is no time for them. The original is repeated first. Of short launches, the first
/// candidate is tried in any case, unless a survey knows what else comes.
bool ReplayTuner::affordsSample(double allowance) const {
  RacePlan plan = planFor(allowance - costs.verify);
  bool isLong = costs.original >= longLaunchSeconds;
  bool paysForWhole = !part || allowance >= 3 * costs.verify;
  if (survey && !plan.paysForOne)
    return candidates.empty();
  auto raced = size_t(std::ranges::count_if(candidates, [&](auto &each) { return isTimed(each); }));
  if (!sampled.empty() && !plan.isOfLongLaunches && plan.tries < raced)
    return false;
  return candidates.empty() || (plan.tries > 0 && paysForWhole) ||
         (!isLong && !plan.isOfLongLaunches);
}

void ReplayTuner::leaveAllUntried() {
  noteUntried(planFor(0));
  if (!sampled.empty())
    return;
  hasSaidWhy = true;
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.3g", costs.original);
  journal.add(std::string(originalId), launches - 1,
              std::string("not tuned: a launch takes ") + seconds +
                  " s, for which the class's part of the budget is too small");
}

/// Records which candidates have not been tried yet, and the budget with which they would have
/// been.
void ReplayTuner::noteUntried(const RacePlan &plan) {
  double otherRuns =
      3 * costs.verify; // the repeated original, the control, and what is not foreseen
  std::string outcome = notTriedOutcome(budgetFor(plan.forAll + otherRuns, account(), atBegin));
  session.note(session.database().atomically([&] {
    for (const Candidate &candidate : candidates)
      if (candidate.standing.samples.empty())
        journal.add(candidate.id, launches - 1, outcome);
    return OrError<void>();
  }));
}

} // namespace regrain
