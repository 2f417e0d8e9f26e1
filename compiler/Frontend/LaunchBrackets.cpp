//===- LaunchBrackets.cpp - Brackets of launches with blanks in them ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/LaunchBrackets.h"
#include "compiler/Frontend/RawTokens.h"

#include <algorithm>

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

/// Whether two brackets are followed by blanks and a third one anywhere, which few sources have.
bool hasParted(StringRef text, StringRef two) {
  for (size_t at = text.find(two); at != StringRef::npos; at = text.find(two, at + 1)) {
    StringRef behind = text.substr(at + two.size()), rest = behind.ltrim();
    if (rest.starts_with(two.take_front()) && rest.size() != behind.size())
      return true;
  }
  return false;
}

class BracketJoiner {
public:
  explicit BracketJoiner(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 1; at < tokens.size(); ++at)
      if (size_t inside = begin(at))
        closeLaunch(inside);
    return changed;
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }

  /// Returns the token behind the brackets that begin a launch, or 0 if none begins here. A name
  /// or template arguments are in front of them.
  size_t begin(size_t at) {
    if (is(at, tok::lesslessless))
      return at + 1;
    if (!is(at, tok::lessless) || !is(at + 1, tok::less) || tokens[at - 1].in(text) == "operator" ||
        text.slice(tokens[at].end, tokens[at + 1].begin).contains('\n'))
      return 0;
    join(at);
    return at + 2;
  }

  /// Joins the brackets that end a launch whose configuration begins at a token.
  void closeLaunch(size_t at) {
    for (unsigned depth = 0; at < tokens.size(); ++at) {
      switch (tokens[at].kind) {
      case tok::l_paren:
      case tok::l_square:
      case tok::l_brace:
        ++depth;
        continue;
      case tok::r_paren:
      case tok::r_square:
      case tok::r_brace:
        if (depth-- == 0)
          return;
        continue;
      case tok::semi:
      case tok::greatergreatergreater:
        if (depth == 0)
          return;
        continue;
      case tok::greatergreater:
        if (depth == 0 && is(at + 1, tok::greater) && is(at + 2, tok::l_paren))
          return join(at);
        continue;
      default:
        continue;
      }
    }
  }

  /// Moves the bracket at the next token to the two at this one.
  void join(size_t at) {
    if (!changed)
      changed = text.str();
    auto first = changed->begin();
    std::rotate(first + tokens[at].end, first + tokens[at + 1].begin, first + tokens[at + 1].end);
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::optional<std::string> changed;
};

} // namespace

std::optional<std::string> joinLaunchBrackets(StringRef text) {
  if (!hasParted(text, "<<") && !(text.contains("<<<") && hasParted(text, ">>")))
    return std::nullopt;
  return BracketJoiner(text).run();
}

} // namespace regrain
