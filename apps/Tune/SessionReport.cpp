//===- SessionReport.cpp - The report of a tuning run ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/SessionReport.h"

#include "runtime/tuning/not_tried.h"

#include <algorithm>
#include <map>

namespace regrain::tune {
namespace {

constexpr const char *original = "original";
/// These outcomes tell why a kernel or a class is not measured.
constexpr std::string_view reasonsBegin[] = {"not replayed: ", "not tuned: "};

template <typename A, typename B> bool isSameClass(const A &a, const B &b) {
  return a.kernel == b.kernel && a.launchClass == b.launchClass;
}

/// Adds the class of a measurement without a choice, once for each reason.
void addNotTuned(const Measurement &measurement, const Outcome &outcome, SessionReport &report) {
  std::string reason = outcome.interrupted
                           ? "the run was interrupted before there were enough measurements"
                           : "the program ended before there were enough measurements";
  for (std::string_view begin : reasonsBegin)
    if (measurement.outcome.starts_with(begin))
      reason = measurement.outcome.substr(begin.size());
  bool isKnown = std::ranges::any_of(report.notTuned, [&](const NotTuned &known) {
    return isSameClass(known, measurement) && known.reason == reason;
  });
  if (!isKnown)
    report.notTuned.push_back(
        {measurement.kernel, measurement.kernelName, measurement.launchClass, reason});
}

/// Returns whether nothing else is known of the class.
bool isOnlySurveyed(const Measurement &surveyed, const std::vector<Measurement> &measurements) {
  return std::ranges::all_of(measurements, [&](const Measurement &other) {
    return other.outcome == surveyedOutcome || !isSameClass(other, surveyed);
  });
}

/// Adds the candidates that were tried at no launch of their class.
void addNotTried(const std::vector<Measurement> &measurements, SessionReport &report) {
  for (const Measurement &measurement : measurements) {
    std::optional<double> budget = budgetOfNotTried(measurement.outcome);
    bool wasTried = std::ranges::any_of(measurements, [&](const Measurement &other) {
      return isSameClass(other, measurement) && other.alternative == measurement.alternative &&
             !budgetOfNotTried(other.outcome);
    });
    if (!budget || wasTried)
      continue;
    auto entry = std::ranges::find_if(
        report.notTried, [&](const NotTried &known) { return isSameClass(known, measurement); });
    if (entry == report.notTried.end())
      entry = report.notTried.insert(
          entry, {measurement.kernel, measurement.kernelName, measurement.launchClass, {}});
    entry->budgetForAll = std::max(entry->budgetForAll, *budget);
    if (std::ranges::find(entry->alternatives, measurement.alternative) ==
        entry->alternatives.end())
      entry->alternatives.push_back(measurement.alternative);
  }
}

void addClasses(const std::vector<Choice> &choices, const std::vector<Measurement> &measurements,
                const ProgramImages &images, SessionReport &report) {
  for (const Choice &choice : choices) {
    ClassReport entry = {choice, {}, {}, {}};
    for (const Measurement &measurement : measurements)
      if (isSameClass(measurement, choice))
        entry.measurements.push_back(measurement);
    auto isMeasured = [&](const auto &isSame) {
      return std::ranges::any_of(
          measurements, [&](const Measurement &measurement) { return isSame(measurement.kernel); });
    };
    bool isOfSession =
        isMeasured([&](const TunedKernel &kernel) { return kernel == choice.kernel; });
    bool isOfOtherDevice =
        isMeasured([&](const TunedKernel &kernel) { return kernel.hash == choice.kernel.hash; });
    if (choice.imported || (!isOfSession && (isOfOtherDevice || !images.holds(choice.kernel))))
      continue;
    entry.original = images.figures(choice, original);
    entry.chosen = images.figures(choice, choice.alternative);
    report.classes.push_back(std::move(entry));
  }
}

void addExclusions(const std::vector<Exclusion> &exclusions,
                   const std::vector<Measurement> &measurements, const ProgramImages &images,
                   SessionReport &report) {
  for (const Exclusion &exclusion : exclusions) {
    if (exclusion.alternative == original)
      continue; // its launches cannot be repeated: the kernel is reported as not tuned
    auto isOfKernel = [&](const auto &entry) { return entry.kernel == exclusion.kernel; };
    if (images.holds(exclusion.kernel) || std::ranges::any_of(measurements, isOfKernel) ||
        std::ranges::any_of(report.outcome.blamed, isOfKernel))
      report.exclusions.push_back(exclusion);
  }
}

std::string whyNothing(const SessionReport &report, const ProgramImages &images) {
  if (!report.classes.empty())
    return "";
  if (!report.outcome.untuned.empty())
    return "the tuning library could not be loaded";
  if (!report.outcome.unstored.empty())
    return "measurements could not be stored";
  if (!report.notTuned.empty() || !report.exclusions.empty())
    return "no launch was measured completely";
  if (images.isExecutable() && images.empty())
    return report.command.front() + " was not built with regrain cc";
  if (!images.empty() && !images.hasAlternatives())
    return "the kernels of " + report.command.front() +
           " have no alternatives; 'regrain cc --alternatives=N' makes them";
  return "no process of the run launched a kernel that has alternatives, or stored what it "
         "measured";
}

/// Returns the microseconds that the class takes in the program, as far as they
/// are known.
double timeOf(const ClassReport &entry) {
  std::map<uint32_t, double> launches;
  for (const Measurement &measurement : entry.measurements) {
    double microseconds = measurement.weight * measurement.originalMicroseconds;
    if (measurement.outcome == surveyedOutcome)
      return microseconds;
    if (microseconds > 0)
      launches[measurement.launch] = microseconds;
  }
  double time = 0;
  for (auto [launch, microseconds] : launches)
    time += microseconds;
  return time > 0 ? time : entry.choice.launches * entry.choice.originalMicroseconds;
}

MeasuredOn measuredOn(const TunedKernel &kernel) {
  return {kernel.device, kernel.multiprocessors, kernel.generation};
}

/// Adds the class to its kernel; `times` sums up the time of each alternative.
void addChoice(const ClassReport &entry, KernelChoices &kernel,
               std::map<std::string, double> &times) {
  const Choice &choice = entry.choice;
  kernel.classes.push_back({choice.launchClass, measuredOn(choice.kernel), choice.alternative,
                            choice.gain, choice.originalMicroseconds, choice.chosenMicroseconds,
                            choice.verified, choice.launch});
  if (choice.alternative != original &&
      std::ranges::find(kernel.alternatives, choice.alternative) == kernel.alternatives.end())
    kernel.alternatives.push_back(choice.alternative);
  times[choice.alternative] += timeOf(entry);
  kernel.chosen =
      std::ranges::max_element(times, {}, [](const auto &time) { return time.second; })->first;
}

} // namespace

std::string shortClass(const std::string &launchClass) {
  std::string result;
  for (size_t begin = 0; begin < launchClass.size();) {
    size_t end = std::min(launchClass.find(',', begin), launchClass.size());
    std::string part = launchClass.substr(begin, end - begin);
    begin = end + 1;
    if (part == "shared=0" || part == "align=16" || part == "grid=*x1x1")
      continue;
    if (part.starts_with("block=")) {
      part.erase(0, 6);
      while (part.ends_with("x1"))
        part.resize(part.size() - 2);
    }
    result += (result.empty() ? "" : " ") + part;
  }
  return result;
}

OrError<SessionReport> makeReport(Database &database, const Plan &plan, const Outcome &outcome,
                                  const ProgramImages &images) {
  OrError<std::vector<Measurement>> measurements = database.measurements(plan.session);
  if (!measurements)
    return tl::unexpected(measurements.error());
  OrError<std::vector<Choice>> choices = database.allChoices();
  if (!choices)
    return tl::unexpected(choices.error());
  OrError<std::vector<Exclusion>> exclusions = database.allExclusions();
  if (!exclusions)
    return tl::unexpected(exclusions.error());
  SessionReport report;
  report.command = plan.command;
  report.session = plan.session;
  report.mode = plan.mode;
  report.isSurveyed = plan.surveys;
  report.budget = plan.budget;
  report.outcome = outcome;
  addClasses(*choices, *measurements, images, report);
  for (const Measurement &measurement : *measurements) {
    report.peak = {std::max(report.peak.device, measurement.copies.device),
                   std::max(report.peak.host, measurement.copies.host)};
    bool isChosen = std::ranges::any_of(report.classes, [&](const ClassReport &entry) {
      return isSameClass(entry.choice, measurement);
    });
    if (isChosen || budgetOfNotTried(measurement.outcome))
      continue;
    if (measurement.outcome != surveyedOutcome || isOnlySurveyed(measurement, *measurements))
      addNotTuned(measurement, outcome, report);
  }
  addNotTried(*measurements, report);
  addExclusions(*exclusions, *measurements, images, report);
  report.nothing = whyNothing(report, images);
  return report;
}

TunedChoices choicesOf(const SessionReport &report) {
  TunedChoices choices;
  std::map<std::pair<std::string, std::string>, size_t> places;
  std::vector<std::map<std::string, double>> times;
  for (const ClassReport &entry : report.classes) {
    const Choice &choice = entry.choice;
    auto [place, isNew] =
        places.try_emplace({choice.kernelName, choice.kernel.hash}, choices.kernels.size());
    if (isNew) {
      choices.kernels.emplace_back();
      choices.kernels.back().name = choice.kernelName;
      choices.kernels.back().hash = choice.kernel.hash;
      times.emplace_back();
    }
    KernelChoices &kernel = choices.kernels[place->second];
    bool isThere = std::ranges::any_of(kernel.classes, [&](const ClassChoice &known) {
      return known.launchClass == choice.launchClass &&
             known.measuredOn == measuredOn(choice.kernel);
    });
    if (!isThere) // otherwise it is of another driver or compiler, for which nothing was measured
      addChoice(entry, kernel, times[place->second]);
  }
  return choices;
}

} // namespace regrain::tune
