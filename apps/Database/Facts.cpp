//===- Facts.cpp - What tuning knows of one grain -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Facts.h"

#include <cstdio>
#include <map>
#include <utility>

namespace regrain::database {
namespace {

using PlaceAndClass = std::pair<std::string, std::string>; ///< a device and a class of launches

std::string textOf(const Measurement &measurement) {
  std::string on = " on " + measurement.kernel.device + " for " + measurement.launchClass;
  if (measurement.pairs == 0)
    return measurement.outcome + on;
  char gain[96];
  std::snprintf(gain, sizeof gain, "%.2f (%.2f to %.2f) of the original's speed, ",
                measurement.gain.ratio, measurement.gain.low, measurement.gain.high);
  return gain + measurement.outcome + on;
}

std::string textOf(const Choice &choice, const std::string &alternative) {
  std::string on = choice.kernel.device + " for " + choice.launchClass;
  if (choice.alternative == alternative)
    return "yes, on " + on + ": " + choice.verdict;
  return "no, " + choice.alternative + " is chosen on " + on + ": " + choice.verdict;
}

} // namespace

OrError<report::TuningFacts> factsOf(Database &database, const std::string &kernelName,
                                     const std::string &alternative) {
  OrError<std::vector<Measurement>> measured = database.measurementsOf(kernelName);
  if (!measured)
    return tl::unexpected(measured.error());
  OrError<std::vector<Exclusion>> excluded = database.allExclusions();
  if (!excluded)
    return tl::unexpected(excluded.error());
  OrError<std::vector<Choice>> chosen = database.allChoices();
  if (!chosen)
    return tl::unexpected(chosen.error());
  report::TuningFacts facts;
  std::map<PlaceAndClass, Measurement> latest;
  for (const Measurement &each : *measured)
    if (each.alternative == alternative &&
        each.outcome != reviewedOutcome) // the verdict tells that
      latest[{each.kernel.device, each.launchClass}] = each;
  for (const auto &[place, measurement] : latest)
    facts.tried.push_back(textOf(measurement));
  for (const Exclusion &each : *excluded)
    if (each.kernelName == kernelName && each.alternative == alternative)
      facts.tried.push_back("excluded on " + each.kernel.device + ": " + each.reason);
  for (const Choice &each : *chosen)
    if (each.kernelName == kernelName)
      facts.chosen.push_back(textOf(each, alternative));
  return facts;
}

report::TuningFacts factsHere(const std::string &kernelName, const std::string &alternative) {
  OrError<std::string> path = Database::defaultPath();
  if (!path || path->empty())
    return {};
  OrError<std::unique_ptr<Database>> file =
      Database::open(*path, Database::Access::ReadOnly).database;
  if (file && !*file)
    return {};
  OrError<report::TuningFacts> facts = file.and_then(
      [&](const auto &database) { return factsOf(*database, kernelName, alternative); });
  return facts ? *facts : report::TuningFacts{{"not known: " + facts.error()}, {"not known"}};
}

} // namespace regrain::database
