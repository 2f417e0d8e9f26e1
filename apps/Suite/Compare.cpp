//===- Compare.cpp - Compare the results of two runs ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Suite/Compare.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace regrain::suite {
namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Returns the length of "nan" or "inf" if it is a word of its own at `at`.
size_t lengthOfWord(std::string_view line, size_t at) {
  std::string_view rest = line.substr(at);
  if (!rest.starts_with("nan") && !rest.starts_with("inf"))
    return 0;
  bool alone = (at == 0 || !isLetter(line[at - 1])) && (rest.size() == 3 || !isLetter(rest[3]));
  return alone ? 3 : 0;
}

/// Returns the length of the number that begins at `at`: digits with points and an exponent, nan
/// or inf, with a sign if only a blank or one of =:,([ precedes it.
size_t lengthOfNumber(std::string_view line, size_t at) {
  size_t end = at;
  bool mayHaveSign = at == 0 || isBlank(line[at - 1]) ||
                     std::string_view("=:,([").find(line[at - 1]) != std::string_view::npos;
  if (mayHaveSign && (line[at] == '-' || line[at] == '+') && at + 1 < line.size())
    ++end;
  if (size_t word = lengthOfWord(line, end))
    return end + word - at;
  if (!isDigit(line[end]))
    return 0;
  for (; end < line.size(); ++end) {
    char c = line[end], next = end + 1 < line.size() ? line[end + 1] : ' ';
    bool exponent = (c == 'e' || c == 'E') && (isDigit(next) || next == '+' || next == '-');
    bool signOfExponent = (c == '+' || c == '-') && (line[end - 1] == 'e' || line[end - 1] == 'E');
    if (!isDigit(c) && c != '.' && !exponent && !signOfExponent)
      break;
  }
  return end - at;
}

/// Returns whether a line mentions a duration or a rate: it contains one of these
/// words.
bool speaksOfTime(std::string_view line) {
  static constexpr std::string_view words[] = {
      "time",         "times",        "timing",     "elapsed", "took",      "second",
      "seconds",      "sec",          "secs",       "s",       "ms",        "msec",
      "us",           "usec",         "ns",         "nsec",    "gb/s",      "mb/s",
      "kb/s",         "gbps",         "gflops",     "gflop/s", "bandwidth", "throughput",
      "speed",        "speedup",      "cycles",     "fps",     "mflops",    "tflops",
      "milliseconds", "microseconds", "nanoseconds"};
  std::string word;
  for (size_t at = 0; at <= line.size(); ++at) {
    char c = at < line.size() ? line[at] : ' ';
    if (isLetter(c) || (c == '/' && !word.empty())) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (std::ranges::find(words, word) != std::end(words))
      return true;
    word.clear();
  }
  return false;
}

} // namespace

std::vector<Reference::Line> Reference::linesOf(const std::string &text) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    // These are the runtime's own messages, if a script redirects stderr to
    // stdout.
    if (line.starts_with("regrain: "))
      continue;
    Line made;
    made.isTiming = speaksOfTime(line);
    for (size_t at = 0; at < line.size();) {
      if (isBlank(line[at])) {
        ++at; // the width of a number determines the blanks before it
        continue;
      }
      size_t end = at + lengthOfNumber(line, at);
      bool isNumber = end > at;
      if (!isNumber)
        while (end < line.size() && !isBlank(line[end]) &&
               (end == at || !lengthOfNumber(line, end)))
          ++end;
      made.tokens.push_back({line.substr(at, end - at), isNumber, false});
      at = end;
    }
    lines.push_back(std::move(made));
  }
  return lines;
}

std::string Reference::textOf(const Line &line) {
  constexpr size_t most = 100;
  std::string text;
  for (const Token &token : line.tokens)
    text += (text.empty() ? "" : " ") + token.text;
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

void Reference::widen(Line &known, const Line &again) {
  known.varies |= known.tokens.size() != again.tokens.size();
  for (size_t i = 0; !known.varies && i < known.tokens.size(); ++i) {
    if (known.tokens[i].text == again.tokens[i].text)
      continue;
    if (known.tokens[i].isNumber && again.tokens[i].isNumber)
      known.tokens[i].varies = true;
    else
      known.varies = true;
  }
}

void Reference::add(const Output &output) {
  std::vector<Line> again = linesOf(output.text);
  if (empty) {
    lines = std::move(again);
    for (const auto &[path, mark] : output.files)
      files[path] = mark;
    empty = false;
    return;
  }
  if (again.size() != lines.size())
    textVaries = true;
  for (size_t i = 0; !textVaries && i < lines.size(); ++i)
    widen(lines[i], again[i]);
  for (auto &[path, mark] : files) {
    auto other = output.files.find(path);
    if (other == output.files.end() || mark != other->second)
      mark.reset();
  }
  for (const auto &[path, mark] : output.files)
    if (!files.contains(path))
      files[path] = std::nullopt;
}

bool Reference::agrees(const Line &known, const Line &other) {
  if (known.varies)
    return true;
  if (known.tokens.size() != other.tokens.size())
    return false;
  for (size_t i = 0; i < known.tokens.size(); ++i) {
    const Token &token = known.tokens[i];
    bool skipped = token.isNumber && (token.varies || known.isTiming);
    if (skipped ? !other.tokens[i].isNumber : token.text != other.tokens[i].text)
      return false;
  }
  return true;
}

std::optional<std::string> Reference::difference(const Output &output) const {
  std::vector<Line> other = linesOf(output.text);
  for (size_t i = 0; !textVaries && i < std::min(lines.size(), other.size()); ++i)
    if (!agrees(lines[i], other[i]))
      return "line " + std::to_string(i + 1) + " is '" + textOf(other[i]) + "' instead of '" +
             textOf(lines[i]) + "'";
  if (!textVaries && lines.size() != other.size())
    return std::to_string(other.size()) + " lines instead of " + std::to_string(lines.size());
  for (const auto &[path, mark] : files) {
    auto found = output.files.find(path);
    if (mark && (found == output.files.end() || found->second != *mark))
      return "file " + path + (found == output.files.end() ? " is not written" : " differs");
  }
  for (const auto &[path, mark] : output.files)
    if (!files.contains(path))
      return "file " + path + " is written, which the original does not";
  return std::nullopt;
}

Compared Reference::compared() const {
  Compared result;
  result.textVaries = textVaries;
  if (textVaries)
    result.lines = lines.size();
  for (const Line &line : lines) {
    if (textVaries)
      break;
    result.lines += line.varies;
    if (line.varies)
      continue;
    bool anything = false;
    for (const Token &token : line.tokens) {
      result.numbers += token.varies && !line.isTiming;
      result.timings += token.isNumber && line.isTiming;
      anything |= !token.varies;
    }
    result.left += anything && !line.isTiming;
  }
  for (const auto &[path, mark] : files)
    ++(mark ? result.left : result.files);
  return result;
}

} // namespace regrain::suite
