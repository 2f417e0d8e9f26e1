//===- RegisterNames.cpp - Registers of PTX in inline assembly ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/RegisterNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regrain {
namespace {

/// Reads the statement after the word "asm".
class AssemblyReader {
public:
  AssemblyReader(StringRef text, size_t position) : text(text), position(position) {}

  /// Returns the positions of the names to change; none for assembly without operands.
  SmallVector<size_t> namesToDouble() {
    for (StringRef word : {"__volatile__", "volatile"})
      takeWord(word);
    SmallVector<size_t> names;
    if (!takeWord("("))
      return {};
    while (takeWord("\""))
      readLiteral(names);
    return takeWord(":") ? names : SmallVector<size_t>();
  }

private:
  bool takeWord(StringRef word) {
    // A backslash continues a line of a macro.
    while (position < text.size() && (isSpace(text[position]) || text[position] == '\\'))
      ++position;
    if (!text.substr(position).starts_with(word))
      return false;
    position += word.size();
    return true;
  }

  void readLiteral(SmallVector<size_t> &names) {
    for (; position < text.size() && text[position] != '"'; ++position) {
      if (text[position] == '\\')
        ++position;
      else if (text[position] == '%' && isName(position))
        names.push_back(position);
    }
    ++position;
  }

  /// An operand has one letter at most in front of its number.
  bool isName(size_t percent) const {
    StringRef after = text.substr(percent + 1, 2);
    return after.size() == 2 && isAlpha(after[0]) && isAlpha(after[1]) && text[percent - 1] == ' ';
  }

  StringRef text;
  size_t position;
};

} // namespace

std::optional<std::string> doubleRegisterNames(StringRef text) {
  std::optional<std::string> changed;
  constexpr StringLiteral word = "asm";
  for (size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if (text.substr(end).starts_with("__"))
      end += 2;
    for (size_t percent : AssemblyReader(text, end).namesToDouble()) {
      if (!changed)
        changed = text.str();
      (*changed)[percent - 1] = '%';
    }
  }
  return changed;
}

} // namespace regrain
