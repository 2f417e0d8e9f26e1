//===- JsonFile.h - Reading JSON that may be wrong --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace regrain {

using Json = nlohmann::ordered_json;

/// A value and the way to it from the file's root: "kernels[0].name". Lives as long
/// as the document.
struct JsonNode {
  const Json &json;
  std::string way;
};

/// Takes values out of a document; the first that is not as it should be is the error,
/// "WAY: what is wrong", and what follows it is not looked at.
class JsonReader {
public:
  explicit JsonReader(std::string &error) : error(error) {}

protected:
  bool failed() const { return !error.empty(); }
  void fail(const std::string &way, const std::string &what);
  std::string text(const JsonNode &object, const char *key);
  double number(const JsonNode &object, const char *key); ///< not negative
  uint32_t count(const JsonNode &object, const char *key);
  bool flag(const JsonNode &object, const char *key);
  bool has(const JsonNode &object, const char *key) const { return object.json.contains(key); }
  std::vector<JsonNode> list(const JsonNode &object, const char *key);
  /// Text as "1.0", of that major version.
  void checkVersion(const JsonNode &root, const char *key, unsigned major);

  static std::string wayTo(const JsonNode &object, const char *key);

private:
  const Json *member(const JsonNode &object, const char *key);

  std::string &error;
};

/// On failure `error` is one sentence that begins with the path and names the line.
[[nodiscard]] std::optional<Json> parseJson(const std::string &text, const std::string &path,
                                            std::string &error);

/// The contents of a file; on failure `error` is one sentence that begins with the path.
[[nodiscard]] std::optional<std::string> readWhole(const std::string &path, std::string &error);

/// Puts the text in place of what is there, as a whole or not at all. False where that
/// fails; `error` is then one sentence that begins with the path.
[[nodiscard]] bool writeWhole(const std::string &text, const std::string &path, std::string &error);

/// Two blanks an indentation, a newline at the end; what is not UTF-8 is replaced.
[[nodiscard]] std::string toText(const Json &json);

} // namespace regrain
