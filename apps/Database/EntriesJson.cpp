//===- EntriesJson.cpp - Choices and exclusions as JSON -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/tuning-database.md describes the schema; a change here that readers cannot
// skip raises the major version.
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Entries.h"
#include "apps/Database/MeasurementJson.h"
#include "compiler/Choices/JsonFile.h"

namespace regrain::database {
namespace {

constexpr unsigned schemaMajor = 2;
constexpr unsigned schemaMinor = 1;
constexpr const char *versionKey = "regrain_tuning";

Json jsonOf(const Choice &choice) {
  Json json = {{"class", choice.launchClass},
               {"alternative", choice.alternative},
               {"verdict", choice.verdict},
               {"original_us", choice.originalMicroseconds},
               {"chosen_us", choice.chosenMicroseconds},
               {"gain", choice.gain.ratio},
               {"gain_low", choice.gain.low},
               {"gain_high", choice.gain.high},
               {"launches", choice.launches},
               {"verified", choice.verified},
               {"imported", choice.imported},
               {"when", choice.when}};
  if (!choice.launch.empty())
    json["launch"] = choice.launch;
  return json;
}

Json jsonOf(const Exclusion &exclusion) {
  return {{"alternative", exclusion.alternative},
          {"reason", exclusion.reason},
          {"when", exclusion.when}};
}

Json jsonOf(const KernelEntries &group) {
  Json choices = Json::array(), exclusions = Json::array(), measurements = Json::array();
  for (const Choice &choice : group.choices)
    choices.push_back(jsonOf(choice));
  for (const Exclusion &exclusion : group.exclusions)
    exclusions.push_back(jsonOf(exclusion));
  for (const Measurement &measurement : group.measurements) {
    Json &json = measurements.emplace_back(measurementJson(measurement));
    json["class"] = measurement.launchClass;
    json["session"] = measurement.session;
  }
  return {{"name", group.name},
          {"hash", group.kernel.hash},
          {"generation", group.kernel.generation},
          {"device", group.kernel.device},
          {"multiprocessors", group.kernel.multiprocessors},
          {"driver", group.kernel.driver},
          {"compiler", group.kernel.compiler},
          {"choices", choices},
          {"exclusions", exclusions},
          {"measurements", measurements}};
}

class Reader : JsonReader {
public:
  OrError<Entries> read(const Json &json) {
    JsonNode root = {json, ""};
    checkVersion(root, versionKey, schemaMajor);
    Entries entries;
    if (!failed())
      for (const JsonNode &kernel : list(root, "kernels"))
        readKernel(kernel, entries);
    return orError(std::move(entries));
  }

private:
  void readKernel(const JsonNode &node, Entries &entries) {
    std::string name = text(node, "name");
    TunedKernel kernel = {text(node, "hash"),
                          text(node, "generation"),
                          text(node, "device"),
                          count(node, "multiprocessors"),
                          static_cast<int>(count(node, "driver")),
                          text(node, "compiler")};
    for (const JsonNode &entry : list(node, "choices"))
      entries.choices.push_back(readChoice(entry, kernel, name));
    for (const JsonNode &entry : list(node, "exclusions"))
      entries.exclusions.push_back(
          {kernel, name, text(entry, "alternative"), text(entry, "reason"), text(entry, "when")});
  }

  Choice readChoice(const JsonNode &node, const TunedKernel &kernel, const std::string &name) {
    Choice choice;
    choice.kernel = kernel;
    choice.kernelName = name;
    choice.launchClass = text(node, "class");
    choice.alternative = text(node, "alternative");
    choice.verdict = text(node, "verdict");
    choice.originalMicroseconds = number(node, "original_us");
    choice.chosenMicroseconds = number(node, "chosen_us");
    choice.gain = {number(node, "gain"), number(node, "gain_low"), number(node, "gain_high")};
    choice.launches = count(node, "launches");
    choice.verified = text(node, "verified");
    choice.imported = flag(node, "imported");
    choice.when = text(node, "when");
    if (has(node, "launch"))
      choice.launch = text(node, "launch");
    return choice;
  }
};

} // namespace

std::string toJson(const std::vector<KernelEntries> &kernels) {
  Json groups = Json::array();
  for (const KernelEntries &group : kernels)
    groups.push_back(jsonOf(group));
  return toText({{versionKey, std::to_string(schemaMajor) + "." + std::to_string(schemaMinor)},
                 {"kernels", groups}});
}

OrError<Entries> parseEntries(const std::string &text, const std::string &path) {
  return parseJson(text, path).and_then([&](const Json &json) {
    return Reader().read(json).map_error(
        [&](const std::string &wrong) { return path + ": " + wrong; });
  });
}

} // namespace regrain::database
