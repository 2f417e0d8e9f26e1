//===- PragmaMacros.cpp - Macros whose text is a pragma -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/PragmaMacros.h"
#include "compiler/Frontend/RawTokens.h"

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

/// Whether a line defines something and has a pragma behind it, which few sources have.
bool hasPragmaMacro(StringRef text) {
  for (size_t at = text.find("pragma"); at != StringRef::npos; at = text.find("pragma", at + 1)) {
    StringRef line = text.take_front(at);
    line = line.drop_front(line.rfind('\n') + 1);
    if (line.contains("define") && line.rtrim(" \t").ends_with("#"))
      return true;
  }
  return false;
}

class PragmaWriter {
public:
  explicit PragmaWriter(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    for (size_t at = 0; at + 5 < tokens.size(); ++at)
      if (tokens[at].kind == tok::hash && tokens[at + 1].in(text) == "define" &&
          tokens[at + 2].kind == tok::raw_identifier && tokens[at + 3].kind == tok::hash &&
          tokens[at + 4].in(text) == "pragma" && inOneLine(at, at + 5))
        write(at + 3);
    return changed;
  }

private:
  bool inOneLine(size_t first, size_t last) const {
    return !text.slice(tokens[first].begin, tokens[last].begin).contains('\n');
  }

  /// Writes the pragma that begins at a token as a call of '__PRAG'.
  void write(size_t hash) {
    size_t last = hash + 2;
    while (last + 1 < tokens.size() && inOneLine(hash, last + 1))
      ++last;
    size_t begin = tokens[hash].begin, end = tokens[last].end;
    if (text.substr(end).ltrim(" \t").starts_with("\\"))
      return;
    std::string call = ("__PRAG(" + text.slice(tokens[hash + 2].begin, end) + ")").str();
    replaceInPlace(text, begin, end, std::move(call), changed);
  }

  StringRef text;
  std::vector<RawToken> tokens;
  std::optional<std::string> changed;
};

} // namespace

std::optional<std::string> expandToPragmas(StringRef text) {
  if (!hasPragmaMacro(text))
    return std::nullopt;
  return PragmaWriter(text).run();
}

} // namespace regrain
