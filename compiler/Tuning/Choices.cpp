//===- Choices.cpp - What was chosen for a program's kernels --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Tuning/Choices.h"

#include "runtime/image/grain.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace regrain {

using Json = nlohmann::ordered_json;

namespace {

constexpr unsigned schemaMajor = 1;
constexpr unsigned schemaMinor = 0;
constexpr const char *versionKey = "regrain_choices";
constexpr const char *original = "original";

/// A value and the way to it from the file's root: "kernels[0].name".
struct Node {
  const Json &json;
  std::string way;
};

/// Takes values out of the file; the first that is not as it should be is the
/// error, and what follows it is not looked at.
class Reader {
public:
  explicit Reader(std::string &error) : error(error) {}

  std::optional<TunedChoices> read(const Json &root);

private:
  bool failed() const { return !error.empty(); }
  void fail(const std::string &way, const std::string &what) {
    if (!failed())
      error = way + ": " + what;
  }
  const Json *member(const Node &object, const char *key);
  std::string text(const Node &object, const char *key);
  double number(const Node &object, const char *key);
  std::vector<Node> list(const Node &object, const char *key);
  void checkVersion(const Node &root);
  void checkId(const std::string &id, const std::string &way);
  void checkUse(const KernelChoices &kernel, const std::string &id, const std::string &way);
  ClassChoice readClass(const Node &node);
  void readAlternatives(const Node &node, KernelChoices &kernel);
  KernelChoices readKernel(const Node &node);

  std::string &error;
};

std::string wayTo(const Node &object, const char *key) {
  return object.way.empty() ? key : object.way + "." + key;
}

const Json *Reader::member(const Node &object, const char *key) {
  if (!object.json.is_object()) {
    fail(object.way.empty() ? "the file" : object.way, "expected an object");
    return nullptr;
  }
  auto found = object.json.find(key);
  if (found == object.json.end()) {
    fail(wayTo(object, key), "is missing");
    return nullptr;
  }
  return &*found;
}

std::string Reader::text(const Node &object, const char *key) {
  const Json *value = member(object, key);
  if (value && value->is_string())
    return value->get<std::string>();
  fail(wayTo(object, key), "expected text");
  return "";
}

double Reader::number(const Node &object, const char *key) {
  const Json *value = member(object, key);
  if (value && value->is_number() && std::isfinite(value->get<double>()) &&
      value->get<double>() >= 0)
    return value->get<double>();
  fail(wayTo(object, key), "expected a number that is not negative");
  return 0;
}

std::vector<Node> Reader::list(const Node &object, const char *key) {
  std::vector<Node> nodes;
  const Json *value = member(object, key);
  if (!value || !value->is_array()) {
    fail(wayTo(object, key), "expected a list");
    return nodes;
  }
  for (const Json &element : *value)
    nodes.push_back({element, wayTo(object, key) + "[" + std::to_string(nodes.size()) + "]"});
  return nodes;
}

void Reader::checkVersion(const Node &root) {
  std::string version = text(root, versionKey);
  if (failed())
    return;
  std::istringstream stream(version);
  unsigned major = 0, minor = 0;
  char dot = 0;
  if (!(stream >> major >> dot >> minor) || dot != '.' || stream.peek() != EOF)
    return fail(versionKey, "expected a version such as \"1.0\", not \"" + version + "\"");
  if (major != schemaMajor)
    fail(versionKey, "version " + version + " is not known to this compiler, which reads " +
                         std::to_string(schemaMajor) + ".x");
}

/// An id is a SPEC in its canonical form.
void Reader::checkId(const std::string &id, const std::string &way) {
  std::string reason;
  std::optional<GrainSpec> spec = parseGrainSpec(id, reason);
  if (!spec)
    return fail(way, reason);
  if (spec->hasTotals() || toString(spec->grain) != id)
    fail(way, "'" + id + "' is no id of an alternative");
}

void Reader::checkUse(const KernelChoices &kernel, const std::string &id, const std::string &way) {
  const std::vector<std::string> &known = kernel.alternatives;
  if (id != original && std::find(known.begin(), known.end(), id) == known.end())
    fail(way, "'" + id + "' is not among the kernel's alternatives");
}

ClassChoice Reader::readClass(const Node &node) {
  ClassChoice choice;
  choice.launchClass = text(node, "class");
  choice.alternative = text(node, "alternative");
  choice.gain = {number(node, "gain"), number(node, "gain_low"), number(node, "gain_high")};
  choice.originalMicroseconds = number(node, "original_us");
  choice.chosenMicroseconds = number(node, "chosen_us");
  choice.verified = text(node, "verified");
  return choice;
}

void Reader::readAlternatives(const Node &node, KernelChoices &kernel) {
  for (const Node &entry : list(node, "alternatives")) {
    if (!entry.json.is_string())
      return fail(entry.way, "expected text");
    std::string id = entry.json.get<std::string>();
    checkId(id, entry.way);
    const std::vector<std::string> &known = kernel.alternatives;
    if (id != original && std::find(known.begin(), known.end(), id) == known.end())
      kernel.alternatives.push_back(id);
  }
}

KernelChoices Reader::readKernel(const Node &node) {
  KernelChoices kernel;
  kernel.name = text(node, "name");
  kernel.hash = text(node, "hash");
  readAlternatives(node, kernel);
  kernel.chosen = text(node, "chosen");
  if (!failed())
    checkUse(kernel, kernel.chosen, wayTo(node, "chosen"));
  std::set<std::string> seen;
  for (const Node &entry : list(node, "classes")) {
    kernel.classes.push_back(readClass(entry));
    if (failed())
      break;
    const ClassChoice &choice = kernel.classes.back();
    checkUse(kernel, choice.alternative, wayTo(entry, "alternative"));
    if (!seen.insert(choice.launchClass).second)
      fail(wayTo(entry, "class"), "'" + choice.launchClass + "' stands here for a second time");
  }
  return kernel;
}

std::optional<TunedChoices> Reader::read(const Json &json) {
  Node root = {json, ""};
  checkVersion(root);
  TunedChoices choices;
  if (failed())
    return std::nullopt;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Node &entry : list(root, "kernels")) {
    choices.kernels.push_back(readKernel(entry));
    const KernelChoices &kernel = choices.kernels.back();
    if (!failed() && !seen.insert({kernel.name, kernel.hash}).second)
      fail(entry.way, "'" + kernel.name + "' stands here for a second time with the same hash");
    if (failed())
      return std::nullopt;
  }
  return failed() ? std::nullopt : std::optional(std::move(choices));
}

/// What the parser says, without the number of its exception.
std::string withoutNumber(std::string message) {
  size_t end = message.find("] ");
  return message.starts_with("[json.") && end != std::string::npos ? message.substr(end + 2)
                                                                   : message;
}

} // namespace

// nlohmann-json finds these functions by their name.

static void to_json(Json &json, const ClassChoice &choice) {
  json = {{"class", choice.launchClass},
          {"alternative", choice.alternative},
          {"gain", choice.gain.ratio},
          {"gain_low", choice.gain.low},
          {"gain_high", choice.gain.high},
          {"original_us", choice.originalMicroseconds},
          {"chosen_us", choice.chosenMicroseconds},
          {"verified", choice.verified}};
}

static void to_json(Json &json, const KernelChoices &kernel) {
  json = {{"name", kernel.name},
          {"hash", kernel.hash},
          {"alternatives", kernel.alternatives},
          {"chosen", kernel.chosen},
          {"classes", kernel.classes}};
}

std::optional<TunedChoices> parseChoices(const std::string &text, const std::string &path,
                                         std::string &error) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception &problem) {
    error = path + ": " + withoutNumber(problem.what());
    return std::nullopt;
  }
  std::string wrong;
  std::optional<TunedChoices> choices = Reader(wrong).read(json);
  if (!choices)
    error = path + ": " + wrong;
  return choices;
}

std::optional<TunedChoices> readChoices(const std::string &path, std::string &error) {
  std::error_code code;
  std::ifstream stream;
  if (!std::filesystem::is_directory(path, code))
    stream.open(path, std::ios::binary);
  std::ostringstream text;
  if (!stream.is_open() || !(text << stream.rdbuf())) {
    error = path + ": cannot be read, or is empty";
    return std::nullopt;
  }
  return parseChoices(text.str(), path, error);
}

std::string toJson(const TunedChoices &choices) {
  Json json = {{versionKey, std::to_string(schemaMajor) + "." + std::to_string(schemaMinor)},
               {"kernels", choices.kernels}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool writeChoices(const TunedChoices &choices, const std::string &path, std::string &error) {
  std::string unfinished = path + ".part";
  std::ofstream stream(unfinished, std::ios::binary);
  stream << toJson(choices);
  stream.close();
  std::error_code code;
  if (stream)
    std::filesystem::rename(unfinished, path, code);
  if (stream && !code)
    return true;
  error = path + ": cannot be written" + (code ? ": " + code.message() : "");
  std::filesystem::remove(unfinished, code);
  return false;
}

} // namespace regrain
