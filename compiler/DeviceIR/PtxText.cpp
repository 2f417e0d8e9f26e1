//===- PtxText.cpp - Reading of inline PTX --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/PtxText.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace regrain::ptx {

namespace {

/// Returns the length of the part of a word with which `text` starts, or 0 if it starts with none.
/// "${:uid}", which LLVM replaces by a number, is a part of a label.
size_t lengthOfPart(StringRef text) {
  if (text.starts_with("::"))
    return 2;
  if (text.starts_with("${"))
    return std::min(text.find('}'), text.size() - 1) + 1;
  return !text.empty() && (isAlnum(text.front()) || StringRef("_$%.").contains(text.front()));
}

/// Returns whether `word` is a number up to the letter of its exponent, such as "1.5e". Numbers
/// that start with 0x, 0f or 0d have no exponent.
bool endsInExponent(StringRef word) {
  return !word.empty() && isDigit(word.front()) &&
         (word.consume_back("e") || word.consume_back("E")) &&
         word.find_first_not_of("0123456789.") == StringRef::npos;
}

/// Splits the text into words (with the dots and colons of opcodes) and single punctuation marks,
/// which refer to the text. Comments count as spaces.
SmallVector<StringRef> splitTokens(StringRef text) {
  SmallVector<StringRef> tokens;
  while (!(text = text.ltrim()).empty()) {
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
      continue;
    }
    if (text.starts_with("/*")) {
      text = text.drop_front(2).split("*/").second;
      continue;
    }
    size_t length = 0;
    while (size_t part = lengthOfPart(text.substr(length))) {
      length += part;
      bool isSigned = text.substr(length).starts_with("+") || text.substr(length).starts_with("-");
      length += isSigned && endsInExponent(text.take_front(length));
    }
    length = std::max<size_t>(length, 1);
    tokens.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return tokens;
}

class Parser {
public:
  explicit Parser(StringRef text) : tokens(splitTokens(text)) { scopes.emplace_back(); }

  std::optional<Program> run(std::string &unknown) {
    while (next < tokens.size()) {
      size_t first = next;
      if (statement() && scopes.size() > 0)
        continue;
      while (next < tokens.size() && tokens[next] != ";")
        ++next;
      size_t last = std::max(std::min(next, tokens.size()) - 1, first);
      unknown = textBetween(first, last);
      return std::nullopt;
    }
    if (!resolveBranches(unknown))
      return std::nullopt;
    return std::move(program);
  }

private:
  bool statement() {
    if (take("{")) {
      scopes.emplace_back();
      return true;
    }
    if (take("}")) {
      scopes.pop_back();
      return true;
    }
    if (take(";"))
      return true;
    if (next + 1 < tokens.size() && tokens[next + 1] == ":")
      return label();
    return take(".reg") ? declaration() : instruction();
  }

  bool take(StringRef token) {
    bool found = next < tokens.size() && tokens[next] == token;
    next += found;
    return found;
  }

  StringRef word() { return next < tokens.size() ? tokens[next++] : StringRef(); }

  bool atEnd() { return next == tokens.size() || take(";"); }

  /// Parses .reg .b32 a, b<4>;
  bool declaration() {
    StringRef name = word();
    std::optional<Type> type = name.consume_front(".") ? parseType(name) : std::nullopt;
    if (!type)
      return false;
    do {
      name = word();
      unsigned count = 0;
      if (!take("<"))
        declare(name, *type);
      else if (word().getAsInteger(10, count) || count > 1024 || !take(">"))
        return false;
      for (unsigned i = 0; i < count; ++i)
        declare((name + Twine(i)).str(), *type);
    } while (take(","));
    return atEnd();
  }

  /// Parses NAME: and refuses a second label of the name, which may be that of another scope.
  bool label() {
    bool isNew = labels.try_emplace(tokens[next], program.labels.size()).second;
    program.labels.push_back(program.instructions.size());
    next += 2;
    return isNew;
  }

  /// Finds the labels of branches; returns false and sets `unknown` to a branch without one.
  bool resolveBranches(std::string &unknown) {
    for (Instruction &instruction : program.instructions) {
      if (instruction.opcode.front() != "bra")
        continue;
      Operand &target = instruction.operands.front();
      auto found = labels.find(target.name);
      if (found == labels.end()) {
        unknown = instruction.text;
        return false;
      }
      target.number = found->second;
    }
    return true;
  }

  void declare(StringRef name, Type type) {
    scopes.back()[name] = program.registers.size();
    program.registers.push_back(type);
  }

  bool instruction() {
    size_t first = next;
    Instruction result;
    if (take("@")) {
      result.guard = operand();
      if (!result.guard)
        return false;
    }
    StringRef opcode = word();
    if (opcode.empty() || !isAlpha(opcode.front()))
      return false;
    for (StringRef part : split(opcode, '.'))
      result.opcode.push_back(part.str());
    if (result.opcode.front() == "bra") {
      Operand target;
      target.kind = Operand::Label;
      target.name = word().str();
      result.operands.push_back(std::move(target));
    }
    while (!atEnd()) {
      std::optional<Operand> read = operand();
      bool more = take(",");
      if (!read || (!more && next < tokens.size() && tokens[next] != ";"))
        return false;
      result.operands.push_back(std::move(*read));
    }
    result.text = textBetween(first, next - 1);
    program.instructions.push_back(std::move(result));
    return true;
  }

  std::optional<Operand> operand() {
    Operand result;
    if (take("{")) {
      std::optional<Operand> vector = list(Operand::Vector, "}");
      return vector && take("|") ? pair(std::move(*vector)) : vector;
    }
    if (take("["))
      return memory();
    result.negated = take("!");
    bool minus = take("-");
    StringRef text = word();
    if (std::optional<Operand> some = part(text))
      return result.negated || minus ? std::nullopt : some;
    if (!simple(text, minus, result))
      return std::nullopt;
    return take("|") ? pair(std::move(result)) : result;
  }

  /// Parses the second part of p|q.
  std::optional<Operand> pair(Operand first) {
    Operand other, both;
    if (!simple(word(), false, other))
      return std::nullopt;
    both.kind = Operand::Pair;
    both.parts = {std::move(first), std::move(other)};
    return both;
  }

  /// Parses a byte or a half of a register: a.b0, a.h1.
  std::optional<Operand> part(StringRef text) {
    static constexpr StringLiteral known[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    auto [name, which] = text.rsplit('.');
    Operand whole, result;
    if (!is_contained(known, which) || !simple(name, false, whole))
      return std::nullopt;
    result.kind = Operand::Part;
    result.name = which.str();
    result.parts.push_back(whole);
    return result;
  }

  std::optional<Operand> list(Operand::Kind kind, StringRef end) {
    Operand result;
    result.kind = kind;
    do {
      std::optional<Operand> element = operand();
      if (!element)
        return std::nullopt;
      result.parts.push_back(std::move(*element));
    } while (take(","));
    return take(end) ? std::optional(result) : std::nullopt;
  }

  std::optional<Operand> memory() {
    Operand result, base;
    result.kind = Operand::Memory;
    if (!simple(word(), false, base))
      return std::nullopt;
    result.parts.push_back(base);
    bool plus = take("+"), minus = take("-");
    Operand offset;
    if (plus || minus) {
      if (!simple(word(), minus, offset) || offset.kind != Operand::Number)
        return std::nullopt;
      result.number = offset.number;
    }
    if (take(",")) {
      std::optional<Operand> coordinates = operand();
      if (!coordinates)
        return std::nullopt;
      result.parts.push_back(std::move(*coordinates));
    }
    return take("]") ? std::optional(result) : std::nullopt;
  }

  /// Parses a name or a number.
  bool simple(StringRef text, bool minus, Operand &result) {
    StringRef name = text;
    bool isNumber = !text.empty() && (isDigit(text.front()) || text.front() == '.');
    if (text.empty() || (minus && !isNumber))
      return false;
    if (isNumber)
      return number(text, minus, result);
    if (text == "_")
      return true;
    if (auto found = find(text)) {
      result.kind = Operand::Register;
      result.number = *found;
      return true;
    }
    if (name.consume_front("$")) {
      result.kind = Operand::Argument;
      return !name.getAsInteger(10, result.number);
    }
    result.kind = Operand::Special;
    bool special = name.consume_front("%") || name == "WARP_SZ";
    result.name = name.str();
    return special;
  }

  /// Parses 1.0, .5 and 1e-3, which have 64 bits.
  static bool decimal(StringRef text, bool minus, Operand &result) {
    if (text.find_first_of("eE") != StringRef::npos && !isDigit(text.back()))
      return false; // convertFromString takes "1e+" for a number
    APFloat value(APFloat::IEEEdouble());
    Expected<APFloat::opStatus> status =
        value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      return false;
    }
    if (minus)
      value.changeSign();
    result.kind = Operand::Floating;
    result.bits = 64;
    result.number = value.bitcastToAPInt().getZExtValue();
    return true;
  }

  static bool number(StringRef text, bool minus, Operand &result) {
    result.bits = text.starts_with_insensitive("0f")   ? 32
                  : text.starts_with_insensitive("0d") ? 64
                                                       : 0;
    result.kind = result.bits ? Operand::Floating : Operand::Number;
    if (result.bits)
      return !minus && text.size() == 2 + result.bits / 4 &&
             !text.drop_front(2).getAsInteger(16, result.number);
    if (text.find_first_not_of("0123456789.eE+-") == StringRef::npos &&
        text.find_first_of(".eE") != StringRef::npos)
      return decimal(text, minus, result);
    if (!text.consume_back("U"))
      text.consume_back("u");
    if (text.getAsInteger(0, result.number))
      return false;
    result.number = minus ? 0 - result.number : result.number;
    return true;
  }

  std::optional<size_t> find(StringRef name) {
    for (const StringMap<size_t> &scope : reverse(scopes))
      if (auto found = scope.find(name); found != scope.end())
        return found->second;
    return std::nullopt;
  }

  std::string textBetween(size_t first, size_t last) {
    StringRef text(tokens[first].begin(), tokens[last].end() - tokens[first].begin());
    text.consume_back(";");
    return onOneLine(text);
  }

  SmallVector<StringRef> tokens;
  size_t next = 0;
  std::vector<StringMap<size_t>> scopes; ///< registers by name
  StringMap<size_t> labels;
  Program program;
};

} // namespace

std::optional<Type> parseType(StringRef text) {
  Type type;
  if (text == "pred")
    return Type{'p', 1, 1};
  if (text == "f16x2")
    return Type{'f', 32, 2};
  if (text.empty() || !StringRef("bsuf").contains(text.front()) ||
      text.drop_front().getAsInteger(10, type.bits))
    return std::nullopt;
  type.kind = text.front();
  if (text == "b128")
    return type;
  bool known = type.bits == 16 || type.bits == 32 || type.bits == 64;
  return known || (type.bits == 8 && !type.isFloat()) ? std::optional(type) : std::nullopt;
}

std::string onOneLine(StringRef text) {
  SmallVector<StringRef> words;
  SplitString(text, words, " \t\n\r");
  return join(words, " ");
}

SmallVector<StringRef> opcodesOf(StringRef text) {
  SmallVector<StringRef> opcodes, tokens = splitTokens(text);
  ArrayRef<StringRef> rest = tokens;
  while (!rest.empty()) {
    StringRef first = rest.front();
    if (first == "{" || first == "}" || first == ";") {
      rest = rest.drop_front();
    } else if (rest.size() > 1 && rest[1] == ":") {
      rest = rest.drop_front(2);
    } else if (first == "@") {
      size_t predicate = rest.size() > 1 && rest[1] == "!" ? 3 : 2;
      rest = rest.drop_front(std::min(predicate, rest.size()));
    } else {
      if (first != ".reg")
        opcodes.push_back(first);
      rest = rest.drop_until([](StringRef token) { return token == ";"; });
    }
  }
  return opcodes;
}

std::optional<Program> parse(StringRef text, std::string &unknown) {
  return Parser(text).run(unknown);
}

} // namespace regrain::ptx
