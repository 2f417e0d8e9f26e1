//===- VariableArrays.cpp - Pointers to arrays of variable length ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/VariableArrays.h"
#include "compiler/Frontend/RawTokens.h"

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

/// Whether the text has "(*)" in front of "[", with or without blanks, which few sources have.
bool hasArrayPointer(StringRef text) {
  for (size_t at = text.find("*)"); at != StringRef::npos; at = text.find("*)", at + 1))
    if (text.substr(at + 2).ltrim(" \t").starts_with("["))
      return true;
  return false;
}

class PointerDeducer {
public:
  explicit PointerDeducer(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 1; at < tokens.size(); ++at)
      if (is(at, tok::l_paren))
        deduce(at);
    return changed;
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }

  bool sameWord(size_t a, size_t b) const { return tokens[a].in(text) == tokens[b].in(text); }

  /// Returns the token behind "[...][...]"; `at` if there are no brackets.
  size_t behindLengths(size_t at) const {
    while (is(at, tok::l_square)) {
      while (at < tokens.size() && tokens[at].kind != tok::r_square)
        ++at;
      ++at;
    }
    return at;
  }

  /// Whether a list of variables ends at the expression that begins here: its end is no comma.
  bool isLast(size_t at) const {
    for (unsigned depth = 0; at < tokens.size(); ++at) {
      if (is(at, tok::l_paren) || is(at, tok::l_square))
        ++depth;
      else if (is(at, tok::r_paren) || is(at, tok::r_square))
        --depth;
      else if (depth == 0 && (is(at, tok::semi) || is(at, tok::comma)))
        return is(at, tok::semi);
    }
    return false;
  }

  /// Changes the declaration whose "(*name)" begins at a token.
  void deduce(size_t open) {
    size_t name = open + 2;
    if (!is(open + 1, tok::star) || !is(name, tok::raw_identifier) || !is(name + 1, tok::r_paren))
      return;
    size_t assign = behindLengths(name + 2);
    if (assign == name + 2 || !is(assign, tok::equal) || !is(assign + 1, tok::l_paren))
      return;
    size_t cast = assign + 2, star = cast;
    while (is(star, tok::raw_identifier) || is(star, tok::coloncolon))
      ++star;
    size_t words = star - cast;
    if (words == 0 || words > open || !is(star, tok::l_paren) || !is(star + 1, tok::star) ||
        !is(star + 2, tok::r_paren))
      return;
    for (size_t word = 0; word < words; ++word)
      if (!sameWord(open - words + word, cast + word))
        return;
    size_t lengths = assign - (name + 2), behind = star + 3 + lengths;
    if (behindLengths(star + 3) != behind || !is(behind, tok::r_paren) || !isLast(behind + 1))
      return;
    for (size_t length = 0; length < lengths; ++length)
      if (!sameWord(name + 2 + length, star + 3 + length))
        return;
    replaceType(open - words, name, assign);
  }

  void replaceType(size_t first, size_t name, size_t assign) {
    size_t begin = tokens[first].begin, end = tokens[assign].begin;
    if (first > 0 && (is(first - 1, tok::raw_identifier) || is(first - 1, tok::coloncolon)))
      return;
    if (!text.slice(begin, end).contains('\n'))
      replaceInPlace(text, begin, end, ("auto " + tokens[name].in(text)).str(), changed);
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::optional<std::string> changed;
};

} // namespace

std::optional<std::string> deduceArrayPointers(StringRef text) {
  if (!hasArrayPointer(text))
    return std::nullopt;
  return PointerDeducer(text).run();
}

} // namespace regrain
