//===- Schemas.cpp - The documents that a page is made of -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/HtmlReport/Schemas.h"

#include <optional>
#include <span>
#include <sstream>

namespace regrain::html {
namespace {

enum class Kind : uint8_t { Text, Number, List, Object, TextOrNull, NumberOrNull };

/// A field that the page needs. "classes[].gain" is that of each element of a list; a list behind a
/// question mark may be missing or null, and then nothing in it is looked at.
struct Field {
  std::string_view path;
  Kind kind;
};

constexpr Field reportFields[] = {
    {"file", Kind::Text},
    {"images", Kind::List},
    {"images[].source", Kind::Text},
    {"images[].targets", Kind::List},
    {"images[].targets[].kind", Kind::Text},
    {"images[].targets[].arch", Kind::Text},
    {"images[].refusals", Kind::List},
    {"images[].refusals[].kernel", Kind::Text},
    {"images[].refusals[].id", Kind::Text},
    {"images[].refusals[].reason", Kind::Text},
    {"images[].kernels", Kind::List},
    {"images[].kernels[].name", Kind::Text},
    {"images[].kernels[].symbol", Kind::Text},
    {"images[].kernels[].alternatives?[].id", Kind::Text},
    {"images[].kernels[].alternatives?[].code", Kind::List},
    {"images[].kernels[].alternatives?[].code[].arch", Kind::Text},
    {"images[].kernels[].candidates?[].id", Kind::Text},
    {"images[].kernels[].candidates?[].outcome", Kind::Text},
    {"images[].kernels[].candidates?[].code", Kind::List},
    {"images[].kernels[].candidates?[].code[].target", Kind::Text},
    {"images[].kernels[].footprint?.block", Kind::List},
    {"images[].kernels[].footprint?.memories", Kind::List},
    {"images[].kernels[].footprint?.memories[].asked_bytes", Kind::Number},
    {"images[].kernels[].footprint?.memories[].touched_bytes", Kind::NumberOrNull},
    {"images[].kernels[].footprint?.unknown", Kind::List},
    {"images[].kernels[].footprint?.arithmetic?[].function", Kind::TextOrNull},
    {"images[].kernels[].footprint?.arithmetic?[].per_thread", Kind::Text},
    {"images[].kernels[].footprint?.arithmetic?[].of_block", Kind::Number},
    {"images[].kernels[].launch_footprints?[].launch", Kind::Text},
    {"images[].kernels[].launch_footprints?[].block", Kind::List},
    {"images[].kernels[].launch_footprints?[].memories", Kind::List},
    {"images[].kernels[].launch_footprints?[].memories[].touched_bytes", Kind::NumberOrNull},
    {"images[].kernels[].launch_footprints?[].unknown", Kind::List},
    {"images[].kernels[].listing?.form", Kind::Text},
    {"images[].kernels[].listing?.sides", Kind::List},
    {"images[].kernels[].listing?.sides[].alternative", Kind::Text},
    {"images[].kernels[].listing?.sides[].totals", Kind::Object},
    {"images[].kernels[].listing?.sides[].accesses", Kind::List},
    {"images[].kernels[].listing?.sides[].instructions", Kind::List},
    {"images[].kernels[].listing?.sides[].instructions[].text", Kind::Text},
    {"images[].kernels[].listing?.sides[].instructions[].opcode", Kind::Text},
    {"images[].kernels[].listing?.sides[].instructions[].file", Kind::TextOrNull},
};

constexpr Field explanationFields[] = {
    {"files", Kind::List},
    {"files[].file", Kind::Text},
    {"files[].kernels", Kind::List},
    {"files[].kernels[].name", Kind::Text},
    {"files[].kernels[].grains", Kind::List},
    {"files[].kernels[].grains[].state", Kind::Text},
    {"files[].kernels[].grains[].ids", Kind::List},
    {"files[].kernels[].grains[].refusal?.reason", Kind::Text},
    {"files[].kernels[].grains[].findings?[].reason", Kind::Text},
};

constexpr Field tuningFields[] = {
    {"command", Kind::List},
    {"classes", Kind::List},
    {"classes[].kernel", Kind::Text},
    {"classes[].class", Kind::Text},
    {"classes[].hash", Kind::Text},
    {"classes[].device", Kind::Text},
    {"classes[].driver", Kind::Number},
    {"classes[].compiler", Kind::Text},
    {"classes[].alternative", Kind::Text},
    {"classes[].verdict", Kind::Text},
    {"classes[].original_us", Kind::Number},
    {"classes[].chosen_us", Kind::Number},
    {"classes[].gain", Kind::Number},
    {"classes[].gain_low", Kind::Number},
    {"classes[].gain_high", Kind::Number},
    {"classes[].launches", Kind::Number},
    {"classes[].verified", Kind::Text},
    {"classes[].when", Kind::Text},
    {"classes[].measurements", Kind::List},
    {"classes[].measurements[].alternative", Kind::Text},
    {"classes[].measurements[].outcome", Kind::Text},
    {"classes[].measurements[].original_us", Kind::Number},
    {"classes[].measurements[].candidate_us", Kind::Number},
    {"classes[].measurements[].gain", Kind::Number},
    {"classes[].measurements[].gain_low", Kind::Number},
    {"classes[].measurements[].gain_high", Kind::Number},
    {"classes[].measurements[].pairs", Kind::Number},
    {"classes[].measurements[].launch", Kind::Number},
    {"not_tuned", Kind::List},
    {"not_tuned[].kernel", Kind::Text},
    {"not_tuned[].class", Kind::Text},
    {"not_tuned[].reason", Kind::Text},
    {"not_tried?[].kernel", Kind::Text},
    {"not_tried?[].class", Kind::Text},
    {"not_tried?[].alternatives", Kind::List},
    {"excluded", Kind::List},
    {"excluded[].kernel", Kind::Text},
    {"excluded[].alternative", Kind::Text},
    {"excluded[].reason", Kind::Text},
};

constexpr Field databaseFields[] = {
    {"kernels", Kind::List},
    {"kernels[].name", Kind::Text},
    {"kernels[].hash", Kind::Text},
    {"kernels[].device", Kind::Text},
    {"kernels[].driver", Kind::Number},
    {"kernels[].compiler", Kind::Text},
    {"kernels[].choices", Kind::List},
    {"kernels[].choices[].class", Kind::Text},
    {"kernels[].choices[].alternative", Kind::Text},
    {"kernels[].choices[].original_us", Kind::Number},
    {"kernels[].choices[].chosen_us", Kind::Number},
    {"kernels[].choices[].gain", Kind::Number},
    {"kernels[].choices[].gain_low", Kind::Number},
    {"kernels[].choices[].gain_high", Kind::Number},
    {"kernels[].choices[].when", Kind::Text},
    {"kernels[].measurements?[].class", Kind::Text},
    {"kernels[].measurements?[].alternative", Kind::Text},
    {"kernels[].measurements?[].outcome", Kind::Text},
    {"kernels[].measurements?[].original_us", Kind::Number},
    {"kernels[].measurements?[].candidate_us", Kind::Number},
    {"kernels[].measurements?[].gain", Kind::Number},
    {"kernels[].measurements?[].gain_low", Kind::Number},
    {"kernels[].measurements?[].gain_high", Kind::Number},
    {"kernels[].measurements?[].pairs", Kind::Number},
    {"kernels[].measurements?[].launch", Kind::Number},
    {"kernels[].exclusions", Kind::List},
    {"kernels[].exclusions[].alternative", Kind::Text},
    {"kernels[].exclusions[].reason", Kind::Text},
};

constexpr Field limitsFields[] = {
    {"devices", Kind::List},
    {"devices[].device", Kind::Text},
    {"devices[].copy_bytes_per_second", Kind::NumberOrNull},
    {"devices[].how", Kind::Text},
};

struct Schema {
  std::string_view name;
  int64_t major; ///< the newest that the page knows
  std::span<const Field> fields;
};

constexpr Schema schemas[] = {
    {"regrain-report", 1, reportFields}, {"regrain-explanation", 1, explanationFields},
    {"regrain-tuning", 1, tuningFields}, {"regrain_tuning", 2, databaseFields},
    {"regrain-limits", 1, limitsFields},
};

bool is(Kind kind, const Json &value) {
  switch (kind) {
  case Kind::Text:
    return value.is_string();
  case Kind::Number:
    return value.is_number();
  case Kind::List:
    return value.is_array();
  case Kind::Object:
    return value.is_object();
  case Kind::TextOrNull:
    return value.is_string() || value.is_null();
  case Kind::NumberOrNull:
    return value.is_number() || value.is_null();
  }
  return false;
}

const char *nameOf(Kind kind) {
  switch (kind) {
  case Kind::Text:
    return "text";
  case Kind::Number:
    return "a number";
  case Kind::List:
    return "a list";
  case Kind::Object:
    return "an object";
  case Kind::TextOrNull:
    return "text or null";
  case Kind::NumberOrNull:
    return "a number or null";
  }
  return "another value";
}

OrError<void> check(const Json &value, std::string_view path, Kind kind, const std::string &way);

/// Does the same for each element of a list.
OrError<void> checkEach(const Json &list, std::string_view path, Kind kind,
                        const std::string &way) {
  if (!list.is_array())
    return tl::unexpected(way + ": expected a list");
  for (size_t i = 0; i < list.size(); ++i)
    if (OrError<void> done = check(list[i], path, kind, way + "[" + std::to_string(i) + "]"); !done)
      return done;
  return {};
}

/// Checks the field at `path` below `value`, which is at `way`.
OrError<void> check(const Json &value, std::string_view path, Kind kind, const std::string &way) {
  if (path.empty())
    return is(kind, value) ? OrError<void>() : tl::unexpected(way + ": expected " + nameOf(kind));
  if (!value.is_object())
    return tl::unexpected((way.empty() ? "the file" : way) + ": expected an object");
  size_t dot = path.find('.');
  std::string_view step = path.substr(0, dot);
  std::string_view rest = dot == path.npos ? "" : path.substr(dot + 1);
  bool isList = step.ends_with("[]");
  step.remove_suffix(isList ? 2 : 0);
  bool isOptional = step.ends_with('?');
  step.remove_suffix(isOptional ? 1 : 0);
  std::string below = way.empty() ? std::string(step) : way + "." + std::string(step);
  auto found = value.find(step);
  if (found == value.end() || (isOptional && found->is_null()))
    return isOptional ? OrError<void>() : tl::unexpected(below + ": is missing");
  return isList ? checkEach(*found, rest, kind, below) : check(*found, rest, kind, below);
}

/// Returns the name of the document's schema, and its version as text; nothing if there is none.
std::optional<std::pair<std::string, std::string>> identityOf(const Json &document) {
  if (!document.is_object())
    return std::nullopt;
  if (auto version = document.find("regrain_tuning"); version != document.end())
    return version->is_string()
               ? std::optional(std::pair("regrain_tuning", version->get<std::string>()))
               : std::nullopt;
  auto name = document.find("schema");
  if (name == document.end() || !name->is_string())
    return std::nullopt;
  auto version = document.find("version");
  if (version == document.end() || !version->is_object() || !version->contains("major") ||
      !(*version)["major"].is_number_integer())
    return std::pair(name->get<std::string>(), "");
  return std::pair(name->get<std::string>(), (*version)["major"].dump());
}

} // namespace

OrError<void> checkDocument(const Json &document) {
  auto identity = identityOf(document);
  if (!identity)
    return tl::unexpected(
        std::string("is no report of Regrain: it has neither 'schema' nor 'regrain_tuning'"));
  const auto &[name, version] = *identity;
  for (const Schema &schema : schemas) {
    if (schema.name != name)
      continue;
    std::istringstream digits(version);
    int64_t major = -1;
    if (!(digits >> major))
      return tl::unexpected("schema '" + name + "' has no version");
    if (major != schema.major)
      return tl::unexpected("version " + version + " of the schema '" + name +
                            "' is not known to this regrain, which reads " +
                            std::to_string(schema.major) + ".x");
    for (const Field &field : schema.fields)
      if (OrError<void> done = check(document, field.path, field.kind, ""); !done)
        return done;
    return {};
  }
  return tl::unexpected("schema '" + name + "' is none of a report");
}

} // namespace regrain::html
