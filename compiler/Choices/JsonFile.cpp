//===- JsonFile.cpp - Reading JSON that may be invalid --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Choices/JsonFile.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace regrain {

void JsonReader::fail(const std::string &way, const std::string &what) {
  if (!failed())
    error = way + ": " + what;
}

std::string JsonReader::wayTo(const JsonNode &object, const char *key) {
  return object.way.empty() ? key : object.way + "." + key;
}

const Json *JsonReader::member(const JsonNode &object, const char *key) {
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

std::string JsonReader::text(const JsonNode &object, const char *key) {
  const Json *value = member(object, key);
  if (value && value->is_string())
    return value->get<std::string>();
  fail(wayTo(object, key), "expected text");
  return "";
}

double JsonReader::number(const JsonNode &object, const char *key) {
  const Json *value = member(object, key);
  if (value && value->is_number() && std::isfinite(value->get<double>()) &&
      value->get<double>() >= 0)
    return value->get<double>();
  fail(wayTo(object, key), "expected a number that is not negative");
  return 0;
}

uint32_t JsonReader::count(const JsonNode &object, const char *key) {
  const Json *value = member(object, key);
  if (value && value->is_number_unsigned() &&
      value->get<uint64_t>() <= std::numeric_limits<uint32_t>::max())
    return value->get<uint32_t>();
  fail(wayTo(object, key), "expected a whole number of 32 bits that is not negative");
  return 0;
}

bool JsonReader::flag(const JsonNode &object, const char *key) {
  const Json *value = member(object, key);
  if (value && value->is_boolean())
    return value->get<bool>();
  fail(wayTo(object, key), "expected true or false");
  return false;
}

std::vector<JsonNode> JsonReader::list(const JsonNode &object, const char *key) {
  std::vector<JsonNode> nodes;
  const Json *value = member(object, key);
  if (!value || !value->is_array()) {
    fail(wayTo(object, key), "expected a list");
    return nodes;
  }
  for (const Json &element : *value)
    nodes.push_back({element, wayTo(object, key) + "[" + std::to_string(nodes.size()) + "]"});
  return nodes;
}

void JsonReader::checkVersion(const JsonNode &root, const char *key, unsigned major) {
  std::string version = text(root, key);
  if (failed())
    return;
  std::istringstream stream(version);
  unsigned found = 0, minor = 0;
  char dot = 0;
  if (!(stream >> found >> dot >> minor) || dot != '.' || stream.peek() != EOF)
    return fail(key, "expected a version such as \"1.0\", not \"" + version + "\"");
  if (found != major)
    fail(key, "version " + version + " is not known to this compiler, which reads " +
                  std::to_string(major) + ".x");
}

/// Returns the parser's message without the number of its exception, and with the place in the form
/// that editors know: FILE:LINE:COLUMN.
static std::string located(const std::string &path, std::string message) {
  size_t end = message.find("] ");
  if (message.starts_with("[json.") && end != std::string::npos)
    message = message.substr(end + 2);
  unsigned line = 0, column = 0;
  int length = 0;
  std::sscanf(message.c_str(), "parse error at line %u, column %u: %n", &line, &column, &length);
  if (length == 0)
    return path + ": " + message;
  return path + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
         message.substr(length);
}

OrError<Json> parseJson(const std::string &text, const std::string &path) {
  try {
    return Json::parse(text);
  } catch (const Json::exception &problem) {
    return tl::unexpected(located(path, problem.what()));
  }
}

OrError<std::string> readWhole(const std::string &path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return tl::unexpected(path + " is a folder");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return tl::unexpected("cannot read " + path + ": " + std::strerror(errno));
  std::ostringstream text;
  if (text << stream.rdbuf())
    return text.str();
  return tl::unexpected(path + " is empty");
}

OrError<void> writeWhole(const std::string &text, const std::string &path) {
  std::string unfinished = path + ".part";
  std::ofstream stream(unfinished, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code code;
  if (stream)
    std::filesystem::rename(unfinished, path, code);
  if (stream && !code)
    return {};
  std::string error = path + ": cannot be written" + (code ? ": " + code.message() : "");
  std::filesystem::remove(unfinished, code);
  return tl::unexpected(std::move(error));
}

std::string toText(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace regrain
