//===- JsonFile.h - Reading JSON that may be invalid ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace regrain {

using Json = nlohmann::ordered_json;

/// A value and its path from the file's root, such as "kernels[0].name". It must not outlive the
/// document.
struct JsonNode {
  const Json &json;
  std::string way;
};

/// Extracts values from a document. The first invalid value gives the error, "PATH: what is wrong",
/// and nothing after it is examined.
class JsonReader {
protected:
  bool failed() const { return !error.empty(); }
  /// Returns `value` unless something failed.
  template <typename Value> OrError<Value> orError(Value value) {
    if (failed())
      return tl::unexpected(error);
    return value;
  }
  void fail(const std::string &way, const std::string &what);
  std::string text(const JsonNode &object, const char *key);
  double number(const JsonNode &object, const char *key); ///< not negative
  uint32_t count(const JsonNode &object, const char *key);
  bool flag(const JsonNode &object, const char *key);
  bool has(const JsonNode &object, const char *key) const { return object.json.contains(key); }
  std::vector<JsonNode> list(const JsonNode &object, const char *key);
  /// Checks for a text such as "1.0" with the given major version.
  void checkVersion(const JsonNode &root, const char *key, unsigned major);

  static std::string wayTo(const JsonNode &object, const char *key);

private:
  const Json *member(const JsonNode &object, const char *key);

  std::string error; ///< empty: nothing has failed
};

/// Parses `text`. The error begins with the path and names the line.
[[nodiscard]] OrError<Json> parseJson(const std::string &text, const std::string &path);

/// Returns the contents of a file. The error begins with the path.
[[nodiscard]] OrError<std::string> readWhole(const std::string &path);

/// Replaces the file as a whole or not at all. The error begins with the path.
[[nodiscard]] OrError<void> writeWhole(const std::string &text, const std::string &path);

/// Returns the text with two spaces per level and a newline at the end; invalid UTF-8 is replaced.
[[nodiscard]] std::string toText(const Json &json);

} // namespace regrain
