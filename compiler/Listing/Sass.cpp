//===- Sass.cpp - What NVIDIA's disassemblers print -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/Sass.h"

#include "compiler/Listing/Words.h"

#include <charconv>

namespace regrain::listing {
namespace {

class SassReader {
public:
  Listings read(std::string_view text) {
    for (std::string_view line : split(text, '\n'))
      readLine(trimmed(line));
    endFunction();
    return std::move(functions);
  }

private:
  void readLine(std::string_view line) {
    if (line.starts_with("//##"))
      return readPosition(line);
    if (line.starts_with("Function :")) // cuobjdump
      return startFunction(trimmed(line.substr(10)));
    if (std::string_view rest = line; takeWord(rest) == ".section") // nvdisasm
      return readSection(rest);
    if (line.starts_with(".L") && line.ends_with(':'))
      label = line.substr(0, line.size() - 1);
    else if (line.starts_with("/*") && current)
      readInstruction(line.substr(2));
  }

  /// Reads `File "app.cu", line 12`, behind which there may be `inlined at "app.cu", line 20`.
  void readPosition(std::string_view line) {
    size_t start = line.find('"'), end = line.find('"', start + 1);
    constexpr std::string_view word = "line ";
    size_t number = line.find(word, end);
    where = {};
    if (end == std::string_view::npos || number == std::string_view::npos)
      return;
    std::string_view digits = line.substr(number + word.size());
    unsigned value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    where = {std::string(line.substr(start + 1, end - start - 1)), value};
  }

  void readSection(std::string_view text) {
    constexpr std::string_view prefix = ".text.";
    text = text.substr(0, text.find(','));
    if (text.starts_with('"') && text.ends_with('"') && text.size() > 1)
      text = text.substr(1, text.size() - 2);
    if (text.starts_with(prefix))
      startFunction(text.substr(prefix.size()));
    else
      endFunction();
  }

  void startFunction(std::string_view name) {
    endFunction();
    current = &functions[std::string(name)];
    where = {};
    label.clear();
  }

  /// Reads `0010*/ @P0 EXIT ;`. The encodings that cuobjdump prints begin with a blank.
  void readInstruction(std::string_view line) {
    uint64_t address = 0;
    auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
    line.remove_prefix(rest - line.data());
    if (error != std::errc() || !line.starts_with("*/"))
      return;
    line = line.substr(2, line.substr(2).find_first_of(";"));
    line = trimmed(line.substr(0, line.find("/*")));
    while (line.starts_with('{') || line.starts_with('}')) // two at a time, before sm_70
      line = trimmed(line.substr(1));
    if (line.empty())
      return;
    Meaning meaning = meaningInSass(line);
    bool isSelfLoop =
        meaning.opcode == "BRA" && isTarget(line.substr(line.find("BRA") + 3), address);
    if (meaning.opcode != "NOP")
      used = current->instructions.size() + (isSelfLoop ? 0 : 1);
    current->instructions.push_back({std::string(line), std::move(meaning), where});
    label.clear();
  }

  /// Returns whether the operand of a branch is the instruction itself.
  bool isTarget(std::string_view operand, uint64_t address) const {
    operand = trimmed(operand);
    if (operand.starts_with("`(") && operand.ends_with(')'))
      operand = operand.substr(2, operand.size() - 3);
    if (!label.empty() && operand == label)
      return true;
    uint64_t target = 0;
    return operand.starts_with("0x") &&
           std::from_chars(operand.data() + 2, operand.data() + operand.size(), target, 16).ec ==
               std::errc() &&
           target == address;
  }

  void endFunction() {
    if (current)
      current->instructions.resize(used);
    current = nullptr;
    used = 0;
  }

  Listings functions;
  Listing *current = nullptr;
  SourcePosition where;
  std::string label; ///< the one just before the next instruction
  size_t used = 0;   ///< instructions up to the last that may run
};

} // namespace

Listings parseSass(std::string_view text) { return SassReader().read(text); }

} // namespace regrain::listing
