//===- CycleCounter.cpp - Definitions of __rdtsc --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/CycleCounter.h"
#include "compiler/Frontend/RawTokens.h"

using namespace clang;
using namespace llvm;

namespace regrain {
namespace {

constexpr llvm::StringLiteral counter = "__rdtsc", otherName = "__Rdtsc";

/// Whether the token begins `__rdtsc() {` or `__rdtsc(void) {`.
bool beginsDefinition(StringRef text, ArrayRef<RawToken> tokens) {
  if (tokens.size() < 5 || tokens[0].in(text) != counter || tokens[1].kind != tok::l_paren)
    return false;
  tokens = tokens.drop_front(tokens[2].in(text) == "void" ? 3 : 2);
  return tokens[0].kind == tok::r_paren && tokens[1].kind == tok::l_brace;
}

} // namespace

std::optional<std::string> renameCycleCounters(StringRef text) {
  std::optional<std::string> changed;
#if defined(__x86_64__)
  if (!text.contains(counter))
    return changed;
  std::vector<RawToken> tokens = rawTokens(text);
  for (size_t at = 0; at < tokens.size(); ++at)
    if (beginsDefinition(text, ArrayRef(tokens).drop_front(at)))
      replaceInPlace(text, tokens[at].begin, tokens[at].end, otherName.str(), changed);
#endif
  return changed;
}

} // namespace regrain
