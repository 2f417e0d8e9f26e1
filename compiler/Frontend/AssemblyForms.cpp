//===- AssemblyForms.cpp - nvcc's forms of inline assembly ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/AssemblyForms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace regrain {
namespace {

/// A new character in front of a position or in place of the blank there; or only the blank's end.
struct Edit {
  size_t position;
  char added; ///< 0: none
  bool takesBlank;
};

/// Reads the statement after the word "asm".
class AssemblyReader {
public:
  AssemblyReader(StringRef text, size_t position) : text(text), position(position) {}

  /// Returns edits that keep the size, in order; none for assembly without operands.
  SmallVector<Edit> read() {
    for (StringRef word : {"__volatile__", "volatile"})
      takeWord(word);
    if (!takeWord("("))
      return {};
    spare.clear();
    while (takeWord("\""))
      readCode();
    if (!takeWord(":"))
      return {};
    size_t editsOfCode = edits.size(), spareOfCode = spare.size();
    if (!readOperands()) {
      edits.truncate(editsOfCode);
      spare.truncate(spareOfCode);
    }
    return keepsSize() ? edits : SmallVector<Edit>();
  }

private:
  /// Takes a blank for each character that is added; returns false if there are too few.
  bool keepsSize() {
    size_t added = count_if(edits, [](const Edit &edit) { return !edit.takesBlank; });
    for (Edit &edit : edits)
      if (added > spare.size() && !edit.takesBlank && isBlank(edit.position - 1)) {
        edit = {edit.position - 1, edit.added, /*takesBlank=*/true};
        --added;
      }
    if (added > spare.size())
      return false;
    for (size_t blank : ArrayRef(spare).take_front(added))
      edits.push_back({blank, 0, /*takesBlank=*/true});
    sort(edits, [](const Edit &a, const Edit &b) { return a.position < b.position; });
    return true;
  }

  bool isBlank(size_t at) const { return text[at] == ' ' || text[at] == '\t'; }

  void skipBlanks() {
    // A backslash continues a line of a macro.
    for (; position < text.size() && (isSpace(text[position]) || text[position] == '\\');
         ++position)
      if (isBlank(position))
        spare.push_back(position);
  }

  bool takeWord(StringRef word) {
    skipBlanks();
    if (!text.substr(position).starts_with(word))
      return false;
    position += word.size();
    return true;
  }

  void readCode() {
    for (; position < text.size() && text[position] != '"'; ++position) {
      if (text[position] == '\\' || text.substr(position).starts_with("%%"))
        ++position;
      else if (text[position] == '%' && isName(text.substr(position + 1, 2)))
        doublePercent();
    }
    ++position;
  }

  /// A blank that separates an instruction from its first operand stays if another one can go.
  void doublePercent() {
    bool isSecond = isBlank(position - 1) && text[position - 2] == ',';
    edits.push_back({position - isSecond, '%', isSecond});
  }

  /// An operand has one letter at most in front of its number.
  static bool isName(StringRef afterPercent) {
    return afterPercent.size() == 2 && isAlpha(afterPercent[0]) && isAlpha(afterPercent[1]);
  }

  void skipLiteral(char quote) {
    for (; position < text.size() && text[position] != quote; ++position)
      if (text[position] == '\\')
        ++position;
    ++position;
  }

  /// Skips to the end of a comment that starts at the last character; returns whether there is one.
  bool skipComment() {
    StringRef rest = text.substr(position - 1);
    if (!rest.starts_with("//") && !rest.starts_with("/*"))
      return false;
    size_t end = rest.starts_with("//") ? rest.find('\n') : rest.find("*/", 2);
    position = end == StringRef::npos ? text.size() : position + end;
    return true;
  }

  /// Reads up to the parenthesis that ends the statement; returns false if there is none.
  bool readOperands() {
    for (size_t depth = 1; position < text.size();) {
      char next = text[position++];
      bool isSeparator = next == '\'' && isAlnum(text[position - 2]); // of digits
      if (next == '"' || (next == '\'' && !isSeparator))
        skipLiteral(next);
      else if (next == '/' && skipComment())
        continue;
      else if (next == '(')
        ++depth;
      else if (next == ')' && --depth == 0)
        return true;
      else if (next == ')' && depth == 1)
        addComma();
      else if (depth == 1 && isBlank(position - 1) && isBetweenSigns(position - 1))
        spare.push_back(position - 1);
    }
    return false;
  }

  bool isBetweenSigns(size_t at) const {
    auto isOfWord = [](char letter) { return isAlnum(letter) || letter == '_'; };
    return at + 1 < text.size() && !isOfWord(text[at - 1]) && !isOfWord(text[at + 1]);
  }

  /// Adds the comma behind an operand if another one follows.
  void addComma() {
    size_t end = position, spareBefore = spare.size();
    skipBlanks();
    if (!text.substr(position).starts_with("\""))
      return;
    bool replaces = isBlank(end);
    if (replaces)
      spare.erase(spare.begin() + spareBefore);
    edits.push_back({end, ',', replaces});
  }

  StringRef text;
  size_t position;
  SmallVector<Edit> edits;
  SmallVector<size_t> spare; ///< blanks that separate nothing
};

} // namespace

std::optional<std::string> completeAssembly(StringRef text) {
  std::string changed;
  size_t copied = 0;
  constexpr StringLiteral word = "asm";
  for (size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if (text.substr(end).starts_with("__"))
      end += 2;
    for (const Edit &edit : AssemblyReader(text, end).read()) {
      if (edit.position < copied)
        break; // it was read as a part of the statement before
      changed += text.slice(copied, edit.position);
      if (edit.added)
        changed += edit.added;
      copied = edit.position + edit.takesBlank;
    }
  }
  if (copied == 0)
    return std::nullopt;
  changed += text.substr(copied);
  return changed;
}

} // namespace regrain
