//===- Choices.cpp - Choices for a program's kernels ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Choices/Choices.h"

#include "compiler/Choices/JsonFile.h"
#include "runtime/core/launch_class.h"
#include "runtime/image/grain.h"

#include <algorithm>
#include <set>

namespace regrain {

namespace {

constexpr unsigned schemaMajor = 2;
constexpr unsigned schemaMinor = 1;
constexpr const char *versionKey = "regrain_choices";
constexpr const char *original = "original";

class Reader : JsonReader {
public:
  OrError<TunedChoices> read(const Json &root);

private:
  void checkId(const std::string &id, const std::string &way);
  void checkLaunch(const std::string &launch, const std::string &way);
  void checkUse(const KernelChoices &kernel, const std::string &id, const std::string &way);
  ClassChoice readClass(const JsonNode &node);
  void readAlternatives(const JsonNode &node, KernelChoices &kernel);
  KernelChoices readKernel(const JsonNode &node);
};

/// Checks that an id is a SPEC in its canonical form.
void Reader::checkId(const std::string &id, const std::string &way) {
  OrError<GrainSpec> spec = parseGrainSpec(id);
  if (!spec)
    return fail(way, spec.error());
  if (spec->hasTotals() || toString(spec->grain) != id)
    fail(way, "'" + id + "' is not the id of an alternative (a SPEC in its canonical form)");
}

/// Checks that a text says what is known of a launch, and nothing else.
void Reader::checkLaunch(const std::string &launch, const std::string &way) {
  checkId(launch, way);
  OrError<GrainSpec> spec = parseGrainSpec(launch);
  Grain knownAlone;
  if (spec)
    knownAlone.known = spec->grain.known;
  if (!failed() && (knownAlone.known.empty() || spec->grain != knownAlone))
    fail(way, "'" + launch + "' is not what is known of a launch (for.block=, for.argN=)");
}

void Reader::checkUse(const KernelChoices &kernel, const std::string &id, const std::string &way) {
  const std::vector<std::string> &known = kernel.alternatives;
  if (id != original && std::find(known.begin(), known.end(), id) == known.end())
    fail(way, "'" + id + "' is not in the kernel's list of alternatives");
}

ClassChoice Reader::readClass(const JsonNode &node) {
  ClassChoice choice;
  choice.launchClass = text(node, "class");
  if (!failed() && !parseLaunchClass(choice.launchClass))
    fail(wayTo(node, "class"), "'" + choice.launchClass + "' is not a class of launches");
  if (has(node, "device"))
    choice.measuredOn.device = text(node, "device");
  if (has(node, "multiprocessors"))
    choice.measuredOn.multiprocessors = count(node, "multiprocessors");
  if (has(node, "generation"))
    choice.measuredOn.generation = text(node, "generation");
  choice.alternative = text(node, "alternative");
  choice.gain = {number(node, "gain"), number(node, "gain_low"), number(node, "gain_high")};
  choice.originalMicroseconds = number(node, "original_us");
  choice.chosenMicroseconds = number(node, "chosen_us");
  choice.verified = text(node, "verified");
  if (has(node, "launch")) {
    choice.launch = text(node, "launch");
    checkLaunch(choice.launch, wayTo(node, "launch"));
  }
  return choice;
}

void Reader::readAlternatives(const JsonNode &node, KernelChoices &kernel) {
  for (const JsonNode &entry : list(node, "alternatives")) {
    if (!entry.json.is_string())
      return fail(entry.way, "expected text");
    std::string id = entry.json.get<std::string>();
    checkId(id, entry.way);
    const std::vector<std::string> &known = kernel.alternatives;
    if (id != original && std::find(known.begin(), known.end(), id) == known.end())
      kernel.alternatives.push_back(id);
  }
}

KernelChoices Reader::readKernel(const JsonNode &node) {
  KernelChoices kernel;
  kernel.name = text(node, "name");
  kernel.hash = text(node, "hash");
  readAlternatives(node, kernel);
  kernel.chosen = text(node, "chosen");
  if (!failed())
    checkUse(kernel, kernel.chosen, wayTo(node, "chosen"));
  std::set<std::pair<std::string, MeasuredOn>> seen;
  for (const JsonNode &entry : list(node, "classes")) {
    kernel.classes.push_back(readClass(entry));
    if (failed())
      break;
    const ClassChoice &choice = kernel.classes.back();
    checkUse(kernel, choice.alternative, wayTo(entry, "alternative"));
    if (!seen.insert({choice.launchClass, choice.measuredOn}).second)
      fail(wayTo(entry, "class"), "'" + choice.launchClass + "' occurs twice");
  }
  return kernel;
}

OrError<TunedChoices> Reader::read(const Json &json) {
  JsonNode root = {json, ""};
  checkVersion(root, versionKey, schemaMajor);
  TunedChoices choices;
  if (failed())
    return orError(std::move(choices));
  std::set<std::pair<std::string, std::string>> seen;
  for (const JsonNode &entry : list(root, "kernels")) {
    choices.kernels.push_back(readKernel(entry));
    const KernelChoices &kernel = choices.kernels.back();
    if (!failed() && !seen.insert({kernel.name, kernel.hash}).second)
      fail(entry.way, "'" + kernel.name + "' occurs twice with the same hash");
    if (failed())
      break;
  }
  return orError(std::move(choices));
}

} // namespace

// nlohmann-json finds these functions by their name.

static void to_json(Json &json, const ClassChoice &choice) {
  json = {{"class", choice.launchClass}};
  if (const MeasuredOn &on = choice.measuredOn; on != MeasuredOn())
    json.update(Json{{"device", on.device},
                     {"multiprocessors", on.multiprocessors},
                     {"generation", on.generation}});
  json.update(Json{{"alternative", choice.alternative},
                   {"gain", choice.gain.ratio},
                   {"gain_low", choice.gain.low},
                   {"gain_high", choice.gain.high},
                   {"original_us", choice.originalMicroseconds},
                   {"chosen_us", choice.chosenMicroseconds},
                   {"verified", choice.verified}});
  if (!choice.launch.empty())
    json["launch"] = choice.launch;
}

static void to_json(Json &json, const KernelChoices &kernel) {
  json = {{"name", kernel.name},
          {"hash", kernel.hash},
          {"alternatives", kernel.alternatives},
          {"chosen", kernel.chosen},
          {"classes", kernel.classes}};
}

OrError<TunedChoices> parseChoices(const std::string &text, const std::string &path) {
  return parseJson(text, path).and_then([&](const Json &json) {
    return Reader().read(json).map_error(
        [&](const std::string &wrong) { return path + ": " + wrong; });
  });
}

OrError<TunedChoices> readChoices(const std::string &path) {
  return readWhole(path).and_then(
      [&](const std::string &text) { return parseChoices(text, path); });
}

std::string toJson(const TunedChoices &choices) {
  return toText({{versionKey, std::to_string(schemaMajor) + "." + std::to_string(schemaMinor)},
                 {"kernels", choices.kernels}});
}

OrError<void> writeChoices(const TunedChoices &choices, const std::string &path) {
  return writeWhole(toJson(choices), path);
}

} // namespace regrain
