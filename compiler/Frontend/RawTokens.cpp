//===- RawTokens.cpp - Tokens of a source before it is parsed -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/RawTokens.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace regrain {

std::vector<RawToken> rawTokens(llvm::StringRef text) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
  options.CUDA = options.LineComment = options.RawStringLiterals = true;
  Lexer lexer(SourceLocation(), options, text.begin(), text.begin(), text.end());
  std::vector<RawToken> tokens;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    size_t end = lexer.getBufferLocation() - text.begin();
    tokens.push_back({token.getKind(), end - token.getLength(), end});
  }
  return tokens;
}

void replaceInPlace(StringRef text, size_t begin, size_t end, std::string replacement,
                    std::optional<std::string> &changed) {
  if (replacement.size() > end - begin)
    return;
  replacement.resize(end - begin, ' ');
  if (!changed)
    changed = text.str();
  changed->replace(begin, end - begin, replacement);
}

} // namespace regrain
