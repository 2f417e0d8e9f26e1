//===- Review.cpp - Choices against their originals, in whole runs --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Review.h"

#include "runtime/image/grain.h"
#include "runtime/tuning/survey.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

namespace regrain::tune {
namespace {

/// A class that takes less than this part of all launches of the run cannot make it slower by
/// anything that matters.
constexpr double leastShare = 0.01;

/// The least ratio of the times, choice to original, that counts as slower.
constexpr double leastLoss = 1.005;

/// Runs at the choices, and as many at the originals. If both take the same time, all runs at
/// one are above all at the other by chance in one of 6 cases with two of each, and of 20 with
/// three: then a choice is lost that gains nothing in this program.
constexpr size_t leastRuns = 2, mostRuns = 3;

/// What the launches of a class take in one run.
struct Taken {
  uint64_t launches = 0;
  double microseconds = 0;
};

/// Returns it for the measurements with that outcome, which several processes may have added.
Taken takenBy(const Choice &choice, std::span<const Measurement> measurements,
              std::string_view outcome) {
  Taken taken;
  for (const Measurement &each : measurements) {
    if (each.outcome != outcome || each.kernel != choice.kernel ||
        each.launchClass != choice.launchClass)
      continue;
    taken.launches += uint64_t(each.weight);
    taken.microseconds += each.weight * each.candidateMicroseconds;
  }
  return taken;
}

double meanOf(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

std::string verdictOf(const Choice &choice, uint64_t launches, const std::vector<double> &chosen,
                      const std::vector<double> &originals) {
  std::string all = launches == 1 ? "launch takes" : std::to_string(launches) + " launches take";
  char text[240];
  std::snprintf(
      text, sizeof(text),
      " gains %.3f where a launch is repeated, but the program's %s %.2f us with it (mean "
      "of %zu runs) and %.2f with the original (of %zu)",
      choice.gain.ratio, all.c_str(), meanOf(chosen), chosen.size(), meanOf(originals),
      originals.size());
  return choice.alternative + text;
}

} // namespace

Review::Review(std::span<const Choice> choices, std::span<const Measurement> surveyed) {
  double all = 0;
  for (const Measurement &each : surveyed)
    if (each.outcome == surveyedOutcome)
      all += each.weight * each.candidateMicroseconds;
  for (const Choice &choice : choices) {
    Taken taken = takenBy(choice, surveyed, surveyedOutcome);
    if (choice.alternative == originalId || choice.imported || taken.launches == 0 ||
        taken.launches > launchesTimedSingly || taken.microseconds < leastShare * all)
      continue;
    classes.push_back({choice, taken.launches, {taken.microseconds}, {}});
  }
}

/// Returns whether each run at the choice took longer than each at the original.
bool Review::Class::seemsSlower() const {
  return !chosen.empty() && !isMissing &&
         *std::ranges::min_element(chosen) > leastLoss * *std::ranges::max_element(originals);
}

bool Review::Class::isOpen() const { return !isMissing && (chosen.empty() || seemsSlower()); }

bool Review::Class::isRefuted() const {
  return seemsSlower() && std::min(chosen.size(), originals.size()) >= leastRuns;
}

Review::Next Review::next() const {
  bool isOpen = std::ranges::any_of(classes, &Class::isOpen);
  if (!isOpen || std::min(runsAtChoices, runsAtOriginals) == mostRuns)
    return Next::Nothing;
  return runsAtChoices < runsAtOriginals ? Next::Choices : Next::Originals;
}

void Review::add(std::span<const Measurement> measurements) {
  bool isAtChoices = next() == Next::Choices;
  for (Class &each : classes) {
    Taken taken =
        takenBy(each.choice, measurements, isAtChoices ? reviewedOutcome : surveyedOutcome);
    (isAtChoices ? each.chosen : each.originals).push_back(taken.microseconds);
    each.isMissing |= taken.launches != each.launches;
  }
  ++(isAtChoices ? runsAtChoices : runsAtOriginals);
}

std::vector<Choice> Review::replacements() const {
  std::vector<Choice> originals;
  for (const Class &each : classes) {
    if (!each.isRefuted())
      continue;
    Choice &choice = originals.emplace_back(each.choice);
    choice.verdict = verdictOf(each.choice, each.launches, each.chosen, each.originals);
    choice.alternative = originalId;
    choice.chosenMicroseconds = choice.originalMicroseconds;
    choice.gain = {};
    choice.when.clear();
  }
  return originals;
}

size_t Review::undecided() const {
  return size_t(std::ranges::count_if(
      classes, [](const Class &each) { return each.seemsSlower() && !each.isRefuted(); }));
}

} // namespace regrain::tune
