//===- MemberTemplates.cpp - Calls of templates without `template` --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/MemberTemplates.h"
#include "compiler/Frontend/RawTokens.h"

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

constexpr llvm::StringLiteral word = "template ";

/// Whether the text has ">::name<", which few sources have.
bool hasCandidate(StringRef text) {
  for (size_t at = text.find(">::"); at != StringRef::npos; at = text.find(">::", at + 1)) {
    StringRef behind = text.substr(at + 3).ltrim(" \t");
    if (behind.drop_while([](char c) { return isAlnum(c) || c == '_'; }).starts_with("<"))
      return true;
  }
  return false;
}

class TemplateNamer {
public:
  explicit TemplateNamer(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 1; at + 2 < tokens.size(); ++at)
      if (is(at, tok::coloncolon) && is(at + 1, tok::raw_identifier) && is(at + 2, tok::less))
        name(at);
    return changed;
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }

  /// Returns by how much a token closes angle brackets; negative if it opens one.
  int closes(size_t at) const {
    return is(at, tok::less) ? -1 : is(at, tok::greater) ? 1 : is(at, tok::greatergreater) ? 2 : 0;
  }

  /// Whether a token ends a statement or begins another one, so that no brackets are around it.
  bool isBetweenStatements(size_t at) const {
    return at >= tokens.size() || is(at, tok::semi) || is(at, tok::l_brace) || is(at, tok::r_brace);
  }

  /// Returns the token behind the brackets that open at a token, or nothing. What parentheses hold
  /// are comparisons.
  std::optional<size_t> behindAngles(size_t at) const {
    for (int depth = 0, inner = 0; !isBetweenStatements(at); ++at) {
      inner += is(at, tok::l_paren) - is(at, tok::r_paren);
      if (inner > 0)
        continue;
      depth -= closes(at);
      if (depth == 0 && inner == 0)
        return at + 1;
      if (depth < 0 || inner < 0 || is(at, tok::ampamp) || is(at, tok::pipepipe))
        return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<size_t> behindParentheses(size_t at) const {
    for (int depth = 0; !isBetweenStatements(at); ++at) {
      depth += is(at, tok::l_paren) - is(at, tok::r_paren);
      if (depth == 0)
        return at + 1;
    }
    return std::nullopt;
  }

  /// Returns the token at which the name of a class begins whose arguments end in front of a token.
  std::optional<size_t> beginOfClass(size_t end) const {
    size_t at = end;
    int depth = 0;
    do {
      if (at == 0 || isBetweenStatements(--at))
        return std::nullopt;
      depth += closes(at);
    } while (depth > 0);
    if (depth < 0 || at == end - 1 || at == 0 || !is(--at, tok::raw_identifier))
      return std::nullopt;
    while (at >= 2 && is(at - 1, tok::coloncolon) && is(at - 2, tok::raw_identifier))
      at -= 2;
    return at;
  }

  /// Names the member behind a "::", if it is called in a statement of its own.
  void name(size_t colons) {
    std::optional<size_t> first = beginOfClass(colons), open = behindAngles(colons + 2);
    if (!first || *first == 0 || !isBetweenStatements(*first - 1) || !open ||
        !is(*open, tok::l_paren))
      return;
    if (std::optional<size_t> end = behindParentheses(*open); end && is(*end, tok::semi))
      insert(*first, colons + 1, *end);
  }

  /// Puts the word in front of the member, in the place of blanks between other tokens.
  void insert(size_t first, size_t member, size_t end) {
    size_t begin = tokens[first - 1].end, left = word.size();
    std::string statement;
    for (size_t at = first; at <= end; ++at) {
      for (char c : text.slice(tokens[at - 1].end, tokens[at].begin))
        if (left > 0 && c == ' ' && mayJoin(at))
          --left;
        else
          statement += c;
      if (at == member)
        statement += word;
      if (at != end)
        statement += tokens[at].in(text);
    }
    if (left == 0)
      replaceInPlace(text, begin, tokens[end].begin, statement, changed);
  }

  /// Whether no blank is needed in front of a token.
  bool mayJoin(size_t at) const {
    StringRef gap = text.slice(tokens[at - 1].end, tokens[at].begin);
    return !gap.contains('/') && (gap.contains('\n') || isBetweenStatements(at - 1) ||
                                  is(at - 1, tok::comma) || is(at - 1, tok::l_paren));
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::optional<std::string> changed;
};

} // namespace

std::optional<std::string> nameMemberTemplates(StringRef text) {
  if (!hasCandidate(text))
    return std::nullopt;
  return TemplateNamer(text).run();
}

} // namespace regrain
