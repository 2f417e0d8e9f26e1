//===- RestrictedNames.cpp - __restrict__ at the name of a type -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/RestrictedNames.h"
#include "compiler/Frontend/RawTokens.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

bool isNameCharacter(char c) { return isAlnum(c) || c == '_' || c == ':'; }

/// Whether a `__restrict` has at most a name and `const` between itself and a `*` or `&`. Most sources
/// that have the word have it behind the `*`, and in front of a name and a comma.
bool hasCandidate(StringRef text) {
  StringRef word = "__restrict";
  for (size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1)) {
    StringRef behind = text.substr(at + word.size()).ltrim("_").ltrim();
    if (behind.consume_front("const"))
      behind = behind.ltrim();
    behind = behind.drop_while(isNameCharacter).ltrim();
    if (behind.starts_with("*") || behind.starts_with("&"))
      return true;
  }
  return false;
}

bool isRestrict(StringRef word) { return word == "__restrict__" || word == "__restrict"; }

bool isConstOrVolatile(StringRef word) { return word == "const" || word == "volatile"; }

/// Whether a word is a part of the name of a type that has no other name.
bool isTypeKeyword(StringRef word) {
  return StringSwitch<bool>(word)
      .Cases("bool", "char", "short", "int", "long", "signed", true)
      .Cases("unsigned", "float", "double", "void", "wchar_t", "auto", true)
      .Default(false);
}

class RestrictDropper {
public:
  explicit RestrictDropper(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 1; at < tokens.size(); ++at)
      if (isRestrict(word(at)) && (isInFrontOfName(at) || isBehindName(at)))
        replaceInPlace(text, tokens[at].begin, tokens[at].end, "", changed);
    return changed;
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }

  StringRef word(size_t at) const {
    return is(at, tok::raw_identifier) ? tokens[at].in(text) : StringRef();
  }

  bool isPointerOrReference(size_t at) const { return is(at, tok::star) || is(at, tok::amp); }

  /// Returns the token in front of `at` and of the qualifiers there.
  size_t inFrontOfQualifiers(size_t at) const {
    do
      --at;
    while (at > 0 && isConstOrVolatile(word(at)));
    return at;
  }

  /// `__restrict__ name *`.
  bool isInFrontOfName(size_t at) const {
    size_t name = at + 1;
    while (isConstOrVolatile(word(name)))
      ++name;
    if (isTypeKeyword(word(name)) || !is(name, tok::raw_identifier))
      return false;
    while (is(name, tok::raw_identifier) && is(name + 1, tok::coloncolon))
      name += 2;
    return isPointerOrReference(name + 1);
  }

  /// `name __restrict__ *`.
  bool isBehindName(size_t at) const {
    StringRef name = word(inFrontOfQualifiers(at));
    return !name.empty() && !isTypeKeyword(name) && isPointerOrReference(at + 1);
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::optional<std::string> changed;
};

} // namespace

std::optional<std::string> dropRestrictedNames(StringRef text) {
  if (!hasCandidate(text))
    return std::nullopt;
  return RestrictDropper(text).run();
}

} // namespace regrain
