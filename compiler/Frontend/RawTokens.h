//===- RawTokens.h - Tokens of a source before it is parsed -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// A token, with where it is in the text. Keywords are identifiers, and macros are not expanded.
struct RawToken {
  clang::tok::TokenKind kind;
  size_t begin, end;

  llvm::StringRef in(llvm::StringRef text) const { return text.slice(begin, end); }
};

/// Returns the tokens of the text of a source, without its comments. The text ends with a zero.
std::vector<RawToken> rawTokens(llvm::StringRef text);

/// Puts `replacement` and blanks in place of the part of `text` from `begin` to `end`, so that all
/// else stays where it is. `changed` is the text with the replacements so far; nothing before the
/// first one. A longer replacement is left out.
void replaceInPlace(llvm::StringRef text, size_t begin, size_t end, std::string replacement,
                    std::optional<std::string> &changed);

} // namespace regrain
