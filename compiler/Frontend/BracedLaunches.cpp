//===- BracedLaunches.cpp - Launches with extents in braces ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/BracedLaunches.h"
#include "compiler/Frontend/RawTokens.h"

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

/// What stands in place of the braces around the argument for a parameter. Extents are converted
/// from any integers, as in nvcc; a size is not narrowed.
struct Braces {
  llvm::StringLiteral open, close;
};
constexpr Braces parameters[] = {
    {"::dim3(", ")"}, {"::dim3(", ")"}, {"::size_t{", "}"}, {"::cudaStream_t{", "}"}};

/// Whether a launch has a brace between its brackets, which few sources have.
bool hasCandidate(StringRef text) {
  for (size_t at = text.find("<<<"); at != StringRef::npos; at = text.find("<<<", at + 3)) {
    StringRef inside = text.substr(at + 3);
    if (inside.take_front(inside.find(">>>")).contains('{'))
      return true;
  }
  return false;
}

class ListNamer {
public:
  explicit ListNamer(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 0; at < tokens.size(); ++at)
      if (is(at, tok::lesslessless))
        nameLists(at + 1);
    if (copied == 0)
      return std::nullopt;
    return changed + text.substr(copied).str();
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }

  /// Names the lists of a launch whose arguments begin at a token.
  void nameLists(size_t at) {
    size_t parameter = 0;
    for (bool isFirst = true; at < tokens.size() && parameter < std::size(parameters); ++at) {
      size_t end = behindBrackets(at);
      if (isFirst && is(at, tok::l_brace) && end > at + 1)
        name(at, end - 1, parameters[parameter]);
      isFirst = is(at, tok::comma);
      parameter += isFirst;
      if (end == at || is(at, tok::less) || is(at, tok::semi) || is(at, tok::greatergreatergreater))
        return;
      at = end - 1;
    }
  }

  /// Returns the token behind the brackets that a token opens, or the next one; the token itself if
  /// it closes brackets or if nothing closes its own.
  size_t behindBrackets(size_t at) const {
    int depth = 0;
    for (size_t token = at; token < tokens.size(); ++token) {
      depth += is(token, tok::l_paren) + is(token, tok::l_square) + is(token, tok::l_brace);
      depth -= is(token, tok::r_paren) + is(token, tok::r_square) + is(token, tok::r_brace);
      if (depth < 0)
        return at;
      if (depth == 0)
        return token + 1;
    }
    return at;
  }

  /// Replaces the braces at two tokens. A comma in front of the second one goes.
  void name(size_t open, size_t close, const Braces &braces) {
    if (tokens[open].begin < copied)
      return; // a launch in an argument of another one
    changed += text.slice(copied, tokens[open].begin);
    changed += braces.open;
    size_t last = is(close - 1, tok::comma) && close - 1 > open ? close - 1 : close;
    changed += text.slice(tokens[open].end, tokens[last].begin);
    changed += braces.close;
    copied = tokens[close].end;
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::string changed; ///< up to `copied` in the text
  size_t copied = 0;
};

} // namespace

std::optional<std::string> nameBracedArguments(StringRef text) {
  if (!hasCandidate(text))
    return std::nullopt;
  return ListNamer(text).run();
}

} // namespace regrain
