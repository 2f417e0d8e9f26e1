//===- Ptx.cpp - The instructions in PTX text -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Ptx.h"

#include "compiler/Listing/Words.h"

#include <charconv>

namespace regrain::listing {
namespace {

unsigned takeNumber(std::string_view &text) {
  std::string_view word = takeWord(text);
  unsigned number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// The line of an instruction.
struct Place {
  Listing *function;
  size_t index;
  unsigned file, line;
};

class PtxReader {
public:
  Listings read(std::string_view text) {
    for (std::string_view line : split(text, '\n'))
      readLine(trimmed(line));
    // Files may be named behind their use.
    for (const Place &place : places)
      place.function->instructions[place.index].where = {files[place.file], place.line};
    return std::move(functions);
  }

private:
  void readLine(std::string_view line) {
    if (statement.empty() && line.starts_with(".file"))
      return readFile(line.substr(5));
    line = trimmed(line.substr(0, line.find("//")));
    if (statement.empty() && line.starts_with(".loc"))
      return readPosition(line.substr(4));
    if (isLineAlone(line))
      return;
    while (!line.empty())
      line = readPart(line);
  }

  /// Returns whether the line is a directive that no semicolon ends.
  bool isLineAlone(std::string_view line) const {
    constexpr std::string_view directives[] = {".version", ".target", ".address_size"};
    return statement.empty() && isOneOf(line.substr(0, line.find_first_of(" \t")), directives);
  }

  /// Reads `1 "app.cu"`, behind which there may be a time and a size.
  void readFile(std::string_view text) {
    unsigned number = takeNumber(text);
    size_t start = text.find('"'), end = text.find('"', start + 1);
    if (end != std::string_view::npos)
      files[number] = text.substr(start + 1, end - start - 1);
  }

  /// Reads `1 12 5`: file, line and column.
  void readPosition(std::string_view text) {
    fileNumber = takeNumber(text);
    lineNumber = takeNumber(text);
  }

  /// Reads up to the end of a statement, and returns what is behind it.
  std::string_view readPart(std::string_view line) {
    bool startsStatement = statement.empty();
    if (startsStatement && (line.front() == '{' || line.front() == '}')) {
      changeDepth(line.front() == '{');
      return trimmed(line.substr(1));
    }
    if (size_t colon = line.find(':'); startsStatement && depth && isLabel(line, colon))
      return trimmed(line.substr(colon + 1));
    // Outside of functions, a body ends a statement as well.
    size_t end = line.find_first_of(depth ? ";" : ";{");
    append(statement, line.substr(0, end), " ");
    if (end == std::string_view::npos)
      return {};
    bool opensBody = line[end] == '{' && !isInitialiser();
    if (line[end] == '{' && !opensBody) {
      statement += '{';
      return trimmed(line.substr(end + 1));
    }
    endStatement(opensBody);
    return trimmed(line.substr(end + (opensBody ? 0 : 1)));
  }

  static bool isLabel(std::string_view line, size_t colon) {
    return colon != std::string_view::npos &&
           line.substr(0, colon).find_first_of(" \t[{") == std::string_view::npos &&
           line.substr(colon, 2) != "::";
  }

  /// Returns whether a brace belongs to a variable's value.
  bool isInitialiser() const { return statement.find('=') != std::string::npos; }

  void changeDepth(bool opens) {
    if (opens)
      ++depth;
    else if (depth && --depth == 0)
      current = nullptr;
  }

  void endStatement(bool opensBody) {
    if (depth == 0 && opensBody)
      startFunction();
    else if (depth && current && !statement.starts_with('.'))
      addInstruction();
    statement.clear();
  }

  void addInstruction() {
    if (lineNumber)
      places.push_back({current, current->instructions.size(), fileNumber, lineNumber});
    std::string text;
    for (std::string_view rest = statement; !rest.empty();)
      append(text, takeWord(rest), " ");
    Meaning meaning = meaningInPtx(text);
    current->instructions.push_back({std::move(text), std::move(meaning), {}});
  }

  /// Takes the name from ".visible .entry name(...)" or ".func (...) name(...)".
  void startFunction() {
    std::string_view head = statement;
    bool isEntry = head.find(".entry") != std::string_view::npos;
    size_t at = isEntry ? head.find(".entry") + 6 : head.find(".func") + 5;
    if (!isEntry && head.find(".func") == std::string_view::npos)
      return;
    head = trimmed(head.substr(at));
    if (head.starts_with('('))
      head = trimmed(head.substr(std::min(head.size(), head.find(')') + 1)));
    std::string name(trimmed(head.substr(0, head.find_first_of("( \t"))));
    current = &functions[name];
    lineNumber = 0;
  }

  Listings functions;
  Listing *current = nullptr; ///< the function whose body is read
  std::map<unsigned, std::string> files;
  unsigned fileNumber = 0, lineNumber = 0; ///< of the next instruction; line 0: unknown
  std::vector<Place> places;
  std::string statement; ///< as far as it has been read
  unsigned depth = 0;    ///< of braces
};

} // namespace

Listings parsePtx(std::string_view text) { return PtxReader().read(text); }

} // namespace regrain::listing
