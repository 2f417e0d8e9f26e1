//===- SessionJson.cpp - A tuning run as JSON -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema is described in docs/report-schema.md; a change here that readers
// cannot skip raises the major version.
//
//===----------------------------------------------------------------------===//
#include "apps/Database/MeasurementJson.h"
#include "apps/Tune/SessionReport.h"
#include "compiler/Choices/JsonFile.h"

#include <algorithm>

// nlohmann-json finds these functions by their name, in the type's namespace.
namespace regrain {

static void to_json(Json &json, const Measurement &measurement) {
  json = database::measurementJson(measurement);
}

static void to_json(Json &json, const TunedKernel &kernel) {
  json = {{"hash", kernel.hash},     {"generation", kernel.generation},
          {"device", kernel.device}, {"multiprocessors", kernel.multiprocessors},
          {"driver", kernel.driver}, {"compiler", kernel.compiler}};
}

static void to_json(Json &json, const Exclusion &exclusion) {
  json = exclusion.kernel;
  json["kernel"] = exclusion.kernelName;
  json["alternative"] = exclusion.alternative;
  json["reason"] = exclusion.reason;
  json["when"] = exclusion.when;
}

namespace tune {

constexpr int schemaMajor = 1;
constexpr int schemaMinor = 9;

static Json figures(const std::optional<Resources> &resources) {
  auto figure = [](int32_t value) { return value < 0 ? Json() : Json(value); };
  if (!resources)
    return nullptr;
  return {{"registers", figure(resources->registers)},
          {"occupancy_percent", figure(resources->occupancyPercent)},
          {"occupancy_threads", figure(resources->occupancyThreads)}};
}

static void to_json(Json &json, const ClassReport &entry) {
  const Choice &choice = entry.choice;
  json = choice.kernel;
  json["kernel"] = choice.kernelName;
  json["class"] = choice.launchClass;
  json["alternative"] = choice.alternative;
  json["verdict"] = choice.verdict;
  json["original_us"] = choice.originalMicroseconds;
  json["chosen_us"] = choice.chosenMicroseconds;
  json["gain"] = choice.gain.ratio;
  json["gain_low"] = choice.gain.low;
  json["gain_high"] = choice.gain.high;
  json["launches"] = choice.launches;
  json["verified"] = choice.verified;
  json["when"] = choice.when;
  json["launch"] = choice.launch.empty() ? Json() : Json(choice.launch);
  json["original_code"] = figures(entry.original);
  json["chosen_code"] = figures(entry.chosen);
  json["measurements"] = entry.measurements;
}

static void to_json(Json &json, const NotTuned &entry) {
  json = entry.kernel;
  json["kernel"] = entry.kernelName;
  json["class"] = entry.launchClass;
  json["reason"] = entry.reason;
}

static void to_json(Json &json, const NotTried &entry) {
  json = entry.kernel;
  json["kernel"] = entry.kernelName;
  json["class"] = entry.launchClass;
  json["alternatives"] = entry.alternatives;
  json["budget_for_all_seconds"] = entry.budgetForAll;
}

/// Returns the time of the run at the originals; null if there was none.
static Json surveyedSeconds(const Outcome &outcome) {
  auto survey = std::ranges::find(outcome.runs, "survey", &ProgramRun::name);
  return survey == outcome.runs.end() ? Json() : Json(survey->end - survey->begin);
}

/// Returns what whole runs said of the choices; null if there was nothing to compare.
static Json reviewOf(const Outcome &outcome) {
  if (outcome.reviewed == 0 && outcome.notReviewed.empty())
    return nullptr;
  double seconds = 0;
  size_t runs = 0;
  for (const ProgramRun &run : outcome.runs)
    if (run.name.starts_with("review")) {
      seconds += run.end - run.begin;
      ++runs;
    }
  return {{"classes", outcome.reviewed},
          {"runs", runs},
          {"seconds", seconds},
          {"stopped", outcome.notReviewed.empty() ? Json() : Json(outcome.notReviewed)}};
}

std::string toJson(const SessionReport &report) {
  auto orNull = [](const std::string &text) { return text.empty() ? Json() : Json(text); };
  Json json = {{"schema", "regrain-tuning"},
               {"version", {{"major", schemaMajor}, {"minor", schemaMinor}}},
               {"command", report.command},
               {"session", report.session},
               {"mode", report.mode},
               {"survey", report.isSurveyed},
               {"surveyed_seconds", surveyedSeconds(report.outcome)},
               {"review", reviewOf(report.outcome)},
               {"budget_seconds", report.budget},
               {"seconds", report.outcome.seconds},
               {"peak_device_bytes", report.peak.device},
               {"peak_host_bytes", report.peak.host},
               {"exit_code", report.outcome.exitCode},
               {"restarts", report.outcome.restarts},
               {"interrupted", report.outcome.interrupted},
               {"gave_up", orNull(report.outcome.gaveUp)},
               {"nothing_tuned", orNull(report.nothing)},
               {"classes", report.classes},
               {"not_tuned", report.notTuned},
               {"not_tried", report.notTried},
               {"excluded", report.exclusions}};
  return toText(json);
}

} // namespace tune
} // namespace regrain
