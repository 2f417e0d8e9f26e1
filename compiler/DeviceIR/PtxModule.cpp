//===- PtxModule.cpp - The parts of a PTX file ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/PtxModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regrain {
namespace {

bool isNameStart(char c) { return isAlpha(c) || c == '_' || c == '$'; }
bool isNamePart(char c) { return isAlnum(c) || c == '_' || c == '$'; }

/// Reads text from its start.
class Cursor {
public:
  explicit Cursor(StringRef text) : text(text) {}

  /// Skips white space and comments.
  void skipBlanks() {
    for (;;) {
      StringRef rest = text.drop_front(at);
      size_t blanks = std::min(rest.find_if_not(isSpace), rest.size());
      if (blanks) {
        at += blanks;
      } else if (rest.starts_with("//")) {
        at += std::min(rest.find('\n'), rest.size());
      } else if (rest.starts_with("/*")) {
        size_t end = rest.find("*/");
        at += end == StringRef::npos ? rest.size() : end + 2;
      } else {
        return;
      }
    }
  }
  bool isAtEnd() const { return at >= text.size(); }
  char peek() const { return isAtEnd() ? '\0' : text[at]; }
  /// Takes one character, or a whole string literal.
  void skipOne() {
    if (text[at++] != '"')
      return;
    while (!isAtEnd() && text[at] != '"')
      at += text[at] == '\\' ? 2 : 1;
    at = std::min(at + 1, text.size());
  }
  StringRef takeName() {
    size_t begin = at;
    while (!isAtEnd() && isNamePart(text[at]))
      ++at;
    return text.slice(begin, at);
  }
  StringRef takeLine() {
    size_t begin = at;
    at += std::min(text.drop_front(at).find('\n'), text.size() - at);
    return text.slice(begin, at).trim();
  }
  /// Skips up to the character that closes the one here; false if there is none.
  bool skipBalanced() {
    unsigned depth = 0;
    do {
      skipBlanks();
      if (isAtEnd())
        return false;
      depth += StringRef("({[").contains(peek());
      depth -= StringRef(")}]").contains(peek());
      skipOne();
    } while (depth);
    return true;
  }
  size_t position() const { return at; }
  StringRef since(size_t begin) const { return text.slice(begin, at); }

private:
  StringRef text;
  size_t at = 0;
};

/// Reads the module's declarations.
class Parser {
public:
  explicit Parser(StringRef text) : cursor(text) {}

  Expected<PtxModule> run() {
    for (cursor.skipBlanks(); !cursor.isAtEnd(); cursor.skipBlanks())
      if (Error error = readDirective())
        return std::move(error);
    if (!module.version)
      return createStringError("the PTX names no version");
    return std::move(module);
  }

private:
  Error readDirective() {
    size_t begin = cursor.position();
    if (cursor.peek() != '.')
      return unknown(cursor.takeLine());
    cursor.skipOne();
    StringRef directive = cursor.takeName();
    if (directive == "version")
      return readVersion(cursor.takeLine());
    if (directive == "target" || directive == "address_size" || directive == "file") {
      cursor.takeLine();
      return Error::success();
    }
    // A linkage comes before the declaration proper.
    while (directive == "visible" || directive == "extern" || directive == "weak") {
      cursor.skipBlanks();
      if (cursor.peek() != '.')
        return unknown(cursor.takeLine());
      cursor.skipOne();
      directive = cursor.takeName();
    }
    if (directive == "func" || directive == "entry")
      return readFunction(begin, directive == "entry");
    if (directive == "global" || directive == "const" || directive == "shared")
      return readVariable(begin);
    return unknown(cursor.since(begin));
  }

  static Error unknown(StringRef what) {
    return createStringError("the PTX has a declaration that is not known: " + what.take_front(60));
  }

  /// Reads "7.8".
  Error readVersion(StringRef number) {
    unsigned minor = 0;
    auto [before, after] = number.split('.');
    if (before.trim().getAsInteger(10, module.version) || after.trim().getAsInteger(10, minor))
      return unknown(number);
    module.version = module.version * 10 + minor;
    return Error::success();
  }

  /// Reads from behind ".func" or ".entry".
  Error readFunction(size_t begin, bool isKernel) {
    cursor.skipBlanks();
    if (cursor.peek() == '(' && !cursor.skipBalanced())
      return unknown("an unfinished function");
    cursor.skipBlanks();
    StringRef name = cursor.takeName();
    if (name.empty())
      return unknown(cursor.takeLine());
    while (!cursor.isAtEnd() && cursor.peek() != '{' && cursor.peek() != ';') {
      if (cursor.peek() == '(') {
        if (!cursor.skipBalanced())
          break;
      } else {
        cursor.skipOne();
      }
      cursor.skipBlanks();
    }
    if (cursor.peek() == ';') {
      cursor.skipOne();
      module.items.push_back({PtxItem::Kind::Declaration, name, cursor.since(begin), {}});
      return Error::success();
    }
    size_t body = cursor.position();
    if (cursor.isAtEnd() || !cursor.skipBalanced())
      return unknown("an unfinished function");
    module.items.push_back({isKernel ? PtxItem::Kind::Kernel : PtxItem::Kind::Function, name,
                            cursor.since(begin), cursor.since(body)});
    return Error::success();
  }

  /// Reads from behind the state space; the name is the first word that is no directive.
  Error readVariable(size_t begin) {
    StringRef name;
    std::optional<size_t> value;
    for (cursor.skipBlanks(); cursor.peek() != ';'; cursor.skipBlanks()) {
      if (cursor.isAtEnd())
        return unknown("an unfinished variable");
      if (cursor.peek() == '.') {
        cursor.skipOne();
        cursor.takeName();
      } else if (isNameStart(cursor.peek()) && name.empty()) {
        name = cursor.takeName();
      } else if (cursor.peek() == ',' && !value) {
        return unknown("several variables in one declaration");
      } else {
        if (cursor.peek() == '=' && !value)
          value = cursor.position() + 1;
        if (StringRef("({[").contains(cursor.peek())) {
          if (!cursor.skipBalanced())
            return unknown("an unfinished variable");
        } else {
          cursor.skipOne();
        }
      }
    }
    StringRef body = value ? cursor.since(*value) : StringRef();
    cursor.skipOne();
    module.items.push_back({PtxItem::Kind::Variable, name, cursor.since(begin), body});
    return name.empty() ? unknown(cursor.since(begin)) : Error::success();
  }

  Cursor cursor;
  PtxModule module;
};

/// Returns the bytes of a type such as "u64", or 0.
uint32_t bytesOf(StringRef type) {
  unsigned bits = 0;
  if (type.empty() || !StringRef("bsuf").contains(type.front()) ||
      type.drop_front().getAsInteger(10, bits) || bits % 8)
    return 0;
  return bits / 8;
}

/// Reads ".param .align 8 .b8 name[16]" into its size and alignment.
std::optional<std::pair<uint64_t, uint32_t>> sizeAndAlignment(StringRef declaration) {
  Cursor cursor(declaration);
  uint64_t size = 0, count = 1;
  uint32_t align = 0;
  bool isOfPointee = false; // what follows .ptr is said of the memory
  for (cursor.skipBlanks(); !cursor.isAtEnd(); cursor.skipBlanks()) {
    if (cursor.peek() == '.') {
      cursor.skipOne();
      StringRef word = cursor.takeName();
      isOfPointee |= word == "ptr";
      if (word == "align") {
        cursor.skipBlanks();
        uint32_t bytes = 0;
        if (cursor.takeName().getAsInteger(10, bytes))
          return std::nullopt;
        align = isOfPointee ? align : bytes;
      } else if (uint32_t bytes = bytesOf(word)) {
        size = bytes;
      } else if (!is_contained({"param", "ptr", "global", "const", "visible", "weak"}, word)) {
        return std::nullopt;
      }
    } else if (cursor.peek() == '[') {
      cursor.skipOne();
      if (cursor.takeName().getAsInteger(10, count))
        return std::nullopt;
    } else if (cursor.takeName().empty()) {
      cursor.skipOne();
    }
  }
  if (!size)
    return std::nullopt;
  return std::pair(size * count, std::max(uint32_t(size), align));
}

} // namespace

Expected<PtxModule> parsePtxModule(StringRef text) { return Parser(text).run(); }

std::optional<std::vector<PtxParameter>> parametersOf(const PtxItem &kernel) {
  StringRef header = kernel.text.drop_back(kernel.body.size());
  size_t open = header.find('(', header.find(kernel.name));
  std::vector<PtxParameter> parameters;
  if (open == StringRef::npos)
    return parameters;
  StringRef list = header.slice(open + 1, header.find(')', open)).trim();
  uint32_t end = 0;
  while (!list.empty()) {
    auto [one, rest] = list.split(',');
    auto known = sizeAndAlignment(one);
    if (!known)
      return std::nullopt;
    uint32_t offset = alignTo(end, known->second);
    parameters.push_back({offset, uint32_t(known->first)});
    end = offset + uint32_t(known->first);
    list = rest.trim();
  }
  return parameters;
}

std::optional<uint64_t> sizeOf(const PtxItem &variable) {
  auto known = sizeAndAlignment(variable.text.split('=').first.rtrim(';'));
  return known ? std::optional(known->first) : std::nullopt;
}

namespace {

/// Reads the statements of a function, or an initial value, for forEachName.
class Names {
public:
  Names(const PtxItem &item, function_ref<void(StringRef)> found)
      : cursor(item.body), found(found), isCode(item.kind != PtxItem::Kind::Variable) {}

  void run() {
    isFirst = isCode;
    for (cursor.skipBlanks(); !cursor.isAtEnd(); cursor.skipBlanks()) {
      char c = cursor.peek();
      if (isNameStart(c))
        readName();
      else if (isDigit(c))
        cursor.takeName();
      else
        readOther(c);
    }
  }

private:
  /// The first word of a statement is an instruction or a label.
  void readName() {
    StringRef name = cursor.takeName();
    if (isDeclaration) {
      locals.insert(name);
      return;
    }
    if (!isFirst) {
      if (!locals.contains(name))
        found(name);
      return;
    }
    cursor.skipBlanks();
    isFirst = cursor.peek() == ':';
    if (isFirst)
      cursor.skipOne();
  }

  /// Braces within a statement are a vector's.
  void readOther(char c) {
    cursor.skipOne();
    if (c == '.') {
      StringRef directive = cursor.takeName();
      isDeclaration |=
          isCode && isFirst && is_contained({"reg", "local", "shared", "param"}, directive);
    } else if (c == '%' || c == ':') {
      cursor.takeName();
    } else if (c == '@') {
      cursor.skipBlanks();
      if (cursor.peek() == '!')
        cursor.skipOne();
      cursor.skipBlanks();
      cursor.takeName(); // a predicate without '%'
    } else if (c == ';') {
      isFirst = isCode;
      isDeclaration = false;
    }
  }

  Cursor cursor;
  function_ref<void(StringRef)> found;
  bool isCode;
  bool isFirst = false, isDeclaration = false;
  StringSet<> locals; ///< declared in the function, also in a block of it
};

} // namespace

void forEachName(const PtxItem &item, function_ref<void(StringRef)> found) {
  Names(item, found).run();
}

} // namespace regrain
