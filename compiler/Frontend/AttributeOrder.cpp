//===- AttributeOrder.cpp - Attributes behind __device__ ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/AttributeOrder.h"
#include "compiler/Frontend/RawTokens.h"

#include <algorithm>

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

/// Whether "[[" follows "__", with or without blanks, which few sources have.
bool hasCandidate(StringRef text) {
  for (size_t at = text.find("[["); at != StringRef::npos; at = text.find("[[", at + 1))
    if (text.take_front(at).rtrim(" \t").ends_with("__"))
      return true;
  return false;
}

bool isTargetWord(StringRef word) {
  return word == "__device__" || word == "__host__" || word == "__global__" ||
         word == "__noinline__";
}

class AttributeMover {
public:
  explicit AttributeMover(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 1; at + 1 < tokens.size(); ++at)
      if (is(at, tok::l_square) && is(at + 1, tok::l_square) && isWord(at - 1))
        move(at);
    return changed;
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }

  bool isWord(size_t at) const {
    return is(at, tok::raw_identifier) && isTargetWord(tokens[at].in(text));
  }

  /// Returns the token behind the brackets that open at a token.
  size_t behindBrackets(size_t at) const {
    unsigned depth = 0;
    do {
      depth += is(at, tok::l_square);
      depth -= is(at, tok::r_square);
      ++at;
    } while (depth > 0 && at < tokens.size());
    return at;
  }

  /// Moves the list that begins at a token.
  void move(size_t at) {
    size_t first = at;
    while (first > 0 && isWord(first - 1))
      --first;
    size_t begin = tokens[first].begin, end = tokens[behindBrackets(at) - 1].end;
    if (text.slice(begin, end).contains('\n'))
      return;
    if (!changed)
      changed = text.str();
    auto start = changed->begin();
    std::rotate(start + begin, start + tokens[at].begin, start + end);
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::optional<std::string> changed;
};

} // namespace

std::optional<std::string> moveStandardAttributes(StringRef text) {
  if (!hasCandidate(text))
    return std::nullopt;
  return AttributeMover(text).run();
}

} // namespace regrain
